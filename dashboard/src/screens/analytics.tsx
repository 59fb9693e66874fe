import type { Output } from '@docent/sdk'
import { call } from '../api/call.ts'
import { useLoad } from '../api/use-load.ts'
import { count, number } from '../lib/format.ts'
import { NEWEST, byText } from '../lib/listing.ts'
import type { ScreenProps } from '../lib/router.ts'
import { useCalled } from '../live/use-progress.ts'
import { Listing } from '../ui/listing.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { Section } from '../ui/section.tsx'
import { Spark } from '../ui/spark.tsx'
import { Loaded } from '../ui/states.tsx'
import { Table } from '../ui/table.tsx'
import { useTitle } from '../ui/use-title.ts'

type Recent = Output<'analytics.recent'>
type Row = Output<'servers.list'>[number] & {
  calls: readonly number[]
  failed: readonly number[]
  total: number
  failures: number
}

/** The servers of the account by their requests of the last days. Each leads to its own analytics. */
export function Analytics({ query }: ScreenProps) {
  useTitle('Analytics')
  const servers = useLoad('servers', (signal) => call('servers.list', {}, { signal }))
  const recent = useLoad('recent', (signal) => call('analytics.recent', {}, { signal }))
  useCalled(null, recent.reload)
  return (
    <>
      <PageHead title="Analytics" />
      <Loaded from={servers} what="the servers">
        {(all) => (
          <Loaded from={recent} what="the requests">
            {(counted) => <Counted rows={rowsOf(all, counted)} days={counted.days} query={query} />}
          </Loaded>
        )}
      </Loaded>
    </>
  )
}

function rowsOf(servers: Output<'servers.list'>, { servers: counted }: Recent): Row[] {
  const byId = new Map(counted.map((one) => [one.serverId, one]))
  return servers
    .filter(({ status }) => status !== 'deleted')
    .map((server) => {
      const { calls = [], failed = [] } = byId.get(server.id) ?? {}
      return { ...server, calls, failed, total: sum(calls), failures: sum(failed) }
    })
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0)

const PLAN = {
  textOf: ({ name, slug }: Row) => `${name} ${slug}`,
  orders: [
    { name: 'requests', title: 'Most requests first', compare: (a: Row, b: Row) => b.total - a.total },
    { name: 'failed', title: 'Most failed first', compare: (a: Row, b: Row) => b.failures - a.failures },
    NEWEST,
    byText<Row>('name', 'By name', ({ name }) => name),
  ],
}

function Counted({ rows, days, query }: { rows: readonly Row[]; days: Recent['days']; query: URLSearchParams }) {
  if (rows.length === 0) return <p class="mute">There is no server yet. Requests of its clients are counted here.</p>
  const total = sum(rows.map((row) => row.total))
  return (
    <Section title={count(total, 'request')} about={`In the last ${days.length} days, on all servers.`} last>
      <Listing items={rows} one="server" plan={PLAN} sizes={[25, 10]} query={query}>
        {(shown) => (
          <Table columns={['Server', 'By day', { right: 'Requests' }, { right: 'Failed' }]}>
            {shown.map(({ id, slug, name, calls, failed, total: own, failures }) => (
              <tr key={id}>
                <th scope="row">
                  <a href={`/servers/${slug}/requests?range=7d`}>{name}</a>
                </th>
                <td>{own > 0 && <Spark days={days} calls={calls} failed={failed} />}</td>
                <td class="r" data-label="Requests">
                  {number(own)}
                </td>
                <td class="r" data-label="Failed">
                  {number(failures)}
                </td>
              </tr>
            ))}
          </Table>
        )}
      </Listing>
    </Section>
  )
}
