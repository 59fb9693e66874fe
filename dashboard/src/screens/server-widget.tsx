import { call } from '../api/call.ts'
import { useMay } from '../api/may.ts'
import { useLoad } from '../api/use-load.ts'
import { navigate, type ScreenProps } from '../lib/router.ts'
import { Section } from '../ui/section.tsx'
import { type Server, ServerPage } from '../ui/server-page.tsx'
import { Loaded } from '../ui/states.tsx'
import { Builder } from '../widgets/builder.tsx'
import { draftOf } from '../widgets/draft.ts'

/** The widgets that answer from a server, and the builder for one of them, at first for a new one. */
export function ServerWidget({ params: { slug = '' }, query }: ScreenProps) {
  const may = useMay()
  return (
    <ServerPage slug={slug} tab="widget">
      {(server) =>
        may('configurations.list') ? (
          <Shown server={server} query={query} />
        ) : (
          <Section title="Widget" to="configurations.list" last>
            {null}
          </Section>
        )
      }
    </ServerPage>
  )
}

function Shown({ server, query }: { server: Server; query: URLSearchParams }) {
  const both = useLoad(`widgets of ${server.id}`, async (signal) => {
    const [configurations, servers] = await Promise.all([
      call('configurations.list', {}, { signal }),
      call('servers.list', {}, { signal }),
    ])
    return { configurations, servers: servers.filter(({ status }) => status !== 'deleted') }
  })
  return (
    <Loaded from={both} what="the widgets">
      {({ configurations, servers }) => {
        const own = configurations.filter((one) => draftOf(one).sources.has(server.id))
        const wanted = query.get('configuration')
        const configuration = wanted === 'new' ? null : (own.find(({ id }) => id === wanted) ?? own[0] ?? null)
        const path = `/servers/${server.slug}/widget`
        return (
          <Section title="Widget" about={<About path={path} shown={configuration?.id} own={own} />} last>
            <Builder
              key={configuration?.id ?? 'new'}
              configuration={configuration}
              servers={servers}
              serverId={server.id}
              query={query}
              onDeleted={(id) => {
                both.set({ servers, configurations: configurations.filter((one) => one.id !== id) })
                navigate(path, { replace: true })
              }}
              onSaved={(saved) => {
                const others = configurations.filter(({ id }) => id !== saved.id)
                both.set({ servers, configurations: [saved, ...others] })
                navigate(`${path}?${withConfiguration(saved.id)}`, { replace: true })
              }}
            />
          </Section>
        )
      }}
    </Loaded>
  )
}

type AboutProps = { path: string; shown: string | undefined; own: readonly { id: string; name: string }[] }

/** The other widgets of this server. */
function About({ path, shown, own }: AboutProps) {
  return (
    <>
      A question box for your own pages.
      {own.map(({ id, name }) => (
        <span key={id} class="block">
          {id === shown ? <b>{name}</b> : <a href={`${path}?configuration=${id}`}>{name}</a>}
        </span>
      ))}
      {shown !== undefined && (
        <a class="block" href={`${path}?configuration=new`}>
          New widget
        </a>
      )}
      <a class="block" href="/widgets">
        All widgets
      </a>
    </>
  )
}

/** Keeps the other choices in the address. */
function withConfiguration(id: string): URLSearchParams {
  const query = new URLSearchParams(location.search)
  query.set('configuration', id)
  return query
}
