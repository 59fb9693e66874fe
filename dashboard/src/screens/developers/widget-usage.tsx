import { call } from '../../api/call.ts'
import { useLoad } from '../../api/use-load.ts'
import { ago, dateTime, number } from '../../lib/format.ts'
import { byText } from '../../lib/listing.ts'
import { Listing } from '../../ui/listing.tsx'
import { Loaded } from '../../ui/states.tsx'
import { Table } from '../../ui/table.tsx'

/** Servers whose figures are read. A widget answers from at most as many. */
const MOST_SERVERS = 20

type Use = { server: { name: string; slug: string }; calls: number; lastCallAt: string }
type ConfigurationUse = { id: string; name: string; isKnown: boolean; uses: Use[] }

/** Requests of each configuration by server. Clients of widgets have the configuration in their name. */
export function WidgetUsage({ query }: { query: URLSearchParams }) {
  const usage = useLoad('widget usage', readUsage)
  return (
    <Loaded from={usage} what="the requests">
      {(all) =>
        all.length === 0 ? (
          <p class="mute">
            There is no configuration yet. <a href="/widgets">Make a widget</a>
          </p>
        ) : (
          <Listing items={all} one="widget" plan={PLAN} sizes={[20, 10]} query={query}>
            {(shown) => (
              <Table columns={['Configuration', 'Server', 'Last request', { right: 'Requests' }]}>
                {shown.flatMap((one) => rowsOf(one))}
              </Table>
            )}
          </Listing>
        )
      }
    </Loaded>
  )
}

const callsOf = ({ uses }: ConfigurationUse): number => uses.reduce((sum, { calls }) => sum + calls, 0)

const PLAN = {
  textOf: ({ name, uses }: ConfigurationUse) => [name, ...uses.map(({ server }) => server.name)].join(' '),
  orders: [
    {
      name: 'requests',
      title: 'Most requests first',
      compare: (a: ConfigurationUse, b: ConfigurationUse) => callsOf(b) - callsOf(a),
    },
    byText<ConfigurationUse>('name', 'By name', ({ name }) => name),
  ],
}

function rowsOf({ id, name, isKnown, uses }: ConfigurationUse) {
  const title = isKnown ? <a href={`/widgets?configuration=${id}`}>{name}</a> : <span class="m">{id}</span>
  if (uses.length === 0) {
    return [
      <tr key={id}>
        <th scope="row">{title}</th>
        <td class="mute">none yet</td>
        <td />
        <td class="r">0</td>
      </tr>,
    ]
  }
  return uses.map(({ server, calls, lastCallAt }) => (
    <tr key={`${id} ${server.slug}`}>
      <th scope="row">{title}</th>
      <td data-label="Server">
        <a href={`/servers/${server.slug}/requests?${new URLSearchParams({ client: `widget ${id}` })}`}>
          {server.name}
        </a>
      </td>
      <td data-label="Last request">
        <time dateTime={lastCallAt} title={dateTime(lastCallAt)}>
          {ago(lastCallAt)}
        </time>
      </td>
      <td class="r" data-label="Requests">
        {number(calls)}
      </td>
    </tr>
  ))
}

async function readUsage(signal: AbortSignal): Promise<ConfigurationUse[]> {
  const [configurations, servers] = await Promise.all([
    call('configurations.list', {}, { signal }),
    call('servers.list', {}, { signal }),
  ])
  const known = new Map<string, ConfigurationUse>(
    configurations.map(({ id, name }) => [id, { id, name, isKnown: true, uses: [] }]),
  )
  const live = servers.filter(({ status }) => status !== 'deleted').slice(0, MOST_SERVERS)
  const reports = await Promise.all(live.map(({ id }) => call('analytics.report', { id, range: '30d' }, { signal })))
  for (const { clients, name, slug } of reports) {
    for (const client of clients ?? []) {
      const id = /^widget (\S+)$/.exec(client.name ?? '')?.[1]
      if (id === undefined) continue
      const use = known.get(id) ?? { id, name: id, isKnown: false, uses: [] }
      use.uses.push({ server: { name, slug }, calls: client.calls, lastCallAt: client.lastCallAt })
      known.set(id, use)
    }
  }
  return [...known.values()]
}
