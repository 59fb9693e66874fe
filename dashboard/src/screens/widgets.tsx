import type { Output } from '@docent/sdk'
import { useEffect } from 'preact/hooks'
import { call } from '../api/call.ts'
import { useLoad } from '../api/use-load.ts'
import { ago, dateTime } from '../lib/format.ts'
import { byText } from '../lib/listing.ts'
import { navigate, type ScreenProps } from '../lib/router.ts'
import { Listing } from '../ui/listing.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { Section } from '../ui/section.tsx'
import { Loaded } from '../ui/states.tsx'
import { Status } from '../ui/status.tsx'
import { Builder } from '../widgets/builder.tsx'
import { type Configuration, draftOf } from '../widgets/draft.ts'
import { Table } from '../ui/table.tsx'

type Servers = Output<'servers.list'>
type Both = { configurations: Configuration[]; servers: Servers }

/** The widgets of the account: a list, and the builder for one of them. The address says which. */
export function Widgets({ query }: ScreenProps) {
  const both = useLoad('widgets', readBoth)
  const chosen = query.get('configuration')
  return (
    <>
      <PageHead title="Widgets">
        <a class="btn" href="/developers">
          Developer portal
        </a>
        <a class="btn p" href="/widgets?configuration=new">
          New widget
        </a>
      </PageHead>
      <Loaded from={both} what="the widgets">
        {({ configurations, servers }) => (
          <Shown
            configurations={configurations}
            servers={servers}
            query={query}
            chosen={chosen ?? (configurations.length === 0 ? 'new' : null)}
            onDeleted={(id) => {
              both.set({ servers, configurations: configurations.filter((one) => one.id !== id) })
              navigate('/widgets', { replace: true })
            }}
            onSaved={(saved) => {
              both.set({ servers, configurations: withSaved(configurations, saved) })
              if (chosen !== saved.id) openConfiguration(saved.id)
            }}
          />
        )}
      </Loaded>
    </>
  )
}

type ShownProps = Both & {
  query: URLSearchParams
  chosen: string | null
  onSaved: (saved: Configuration) => void
  onDeleted: (id: string) => void
}

function Shown({ configurations, servers, query, chosen, onSaved, onDeleted }: ShownProps) {
  const configuration = configurations.find(({ id }) => id === chosen) ?? null
  const isBuilding = chosen === 'new' || configuration !== null
  useEffect(() => {
    if (isBuilding && configurations.length > 0) document.querySelector('#builder')?.scrollIntoView({ block: 'start' })
  }, [chosen])
  return (
    <>
      {configurations.length > 0 && (
        <Section title="Your widgets" about="One for each domain." last={!isBuilding}>
          <List configurations={configurations} servers={servers} chosen={chosen} query={query} />
        </Section>
      )}
      {chosen !== null && !isBuilding && <p class="say">There is no such widget.</p>}
      {isBuilding && (
        <Section
          id="builder"
          title={configuration?.name ?? 'New widget'}
          about="A question box for your own pages."
          last
        >
          <Builder
            key={configuration?.id ?? 'new'}
            configuration={configuration}
            servers={servers.filter(({ status }) => status !== 'deleted')}
            serverId={query.get('server') ?? undefined}
            query={query}
            onSaved={onSaved}
            onDeleted={onDeleted}
          />
        </Section>
      )}
    </>
  )
}

type ListProps = Both & { chosen: string | null; query: URLSearchParams }

function List({ configurations, servers, chosen, query }: ListProps) {
  const names = new Map(servers.map(({ id, name }) => [id, name]))
  const plan = {
    prefix: 'widgets',
    textOf: (one: Configuration) => `${one.domain ?? ''} ${one.name} ${serverNames(one, names)}`,
    orders: [
      {
        name: 'changed',
        title: 'Last changed first',
        compare: (a: Configuration, b: Configuration) => b.updatedAt.localeCompare(a.updatedAt),
      },
      byText<Configuration>('name', 'By domain', ({ domain }) => domain ?? ''),
    ],
    choices: [
      {
        name: 'state',
        every: 'On and off',
        options: [
          { value: 'on', title: 'On' },
          { value: 'off', title: 'Off' },
        ],
        fits: ({ isActive }: Configuration, value: string) => isActive === (value === 'on'),
      },
    ],
  }
  return (
    <Listing items={configurations} one="widget" plan={plan} sizes={[20, 10]} query={query}>
      {(shown) => (
        <Table columns={['Domain', 'Answers from', 'State', 'Changed']}>
          {shown.map((one) => (
            <tr key={one.id}>
              <th scope="row">
                <a
                  href={`/widgets?configuration=${one.id}`}
                  {...(one.id === chosen ? { 'aria-current': 'true' as const } : {})}
                >
                  {one.domain ?? 'Any page'}
                </a>
                {one.name !== one.domain && one.domain !== null && <div class="small mute">{one.name}</div>}
              </th>
              <td data-label="Answers from">{serverNames(one, names)}</td>
              <td>
                <Status tone={one.isActive ? 'ok' : 'wait'}>{one.isActive ? 'On' : 'Off'}</Status>
              </td>
              <td data-label="Changed">
                <time dateTime={one.updatedAt} title={dateTime(one.updatedAt)}>
                  {ago(one.updatedAt)}
                </time>
              </td>
            </tr>
          ))}
        </Table>
      )}
    </Listing>
  )
}

function serverNames(configuration: Configuration, names: ReadonlyMap<string, string>): string {
  const chosen = [...draftOf(configuration).sources.keys()]
  return chosen.length === 0 ? 'all your servers' : chosen.map((id) => names.get(id) ?? 'a deleted server').join(', ')
}

/** The saved one first, as the service lists them. */
const withSaved = (all: readonly Configuration[], saved: Configuration): Configuration[] => [
  saved,
  ...all.filter(({ id }) => id !== saved.id),
]

/** Keeps the other choices in the address. */
function openConfiguration(id: string): void {
  const query = new URLSearchParams(location.search)
  query.set('configuration', id)
  query.delete('server')
  navigate(`${location.pathname}?${query}`, { replace: true })
}

async function readBoth(signal: AbortSignal): Promise<Both> {
  const [configurations, servers] = await Promise.all([
    call('configurations.list', {}, { signal }),
    call('servers.list', {}, { signal }),
  ])
  return { configurations, servers }
}
