import type { Output } from '@docent/sdk'
import { call } from '../api/call.ts'
import { useLoad } from '../api/use-load.ts'
import type { ScreenProps } from '../lib/router.ts'
import { type Server, ServerPage } from '../ui/server-page.tsx'
import { Loaded } from '../ui/states.tsx'
import { ClientNames, useClientNames } from './requests/client-name.ts'
import { CallsChart } from './requests/calls-chart.tsx'
import { Details } from './requests/details.tsx'
import { Figures, SummaryFigures } from './requests/figures.tsx'
import { Filters } from './requests/filters.tsx'
import { filterOf, given } from './requests/filter.ts'
import { rangeOf } from './requests/range.ts'
import { RequestLog } from './requests/request-log.tsx'
import '../styles/requests.css'

/** The questions of clients, the answers, and the cited pages. */
export function Requests({ params: { slug = '' }, query }: ScreenProps) {
  return (
    <ServerPage slug={slug} tab="requests">
      {(server, { rules }) => <Shown server={server} query={query} rules={rules.data?.rules ?? []} />}
    </ServerPage>
  )
}

type ShownProps = { server: Server; query: URLSearchParams; rules: Output<'retrievalRules.list'>['rules'] }

function Shown({ server, query, rules }: ShownProps) {
  const range = rangeOf(query)
  const report = useLoad(`report ${server.id} ${range}`, (signal) =>
    call('analytics.report', { id: server.slug, range }, { signal }),
  )
  const asked = { id: server.slug, range, interval: 'day' as const, ...given(filterOf(query)) }
  const quality = useLoad(`quality ${JSON.stringify(asked)}`, (signal) => call('analytics.quality', asked, { signal }))
  const nameOf = useClientNames(report.data?.clients ?? [])
  return (
    <ClientNames.Provider value={nameOf}>
      <Filters query={query} report={report.data} serverId={server.id} />
      <Loaded from={report} what="the figures">
        {(data) =>
          data.locked ? (
            <>
              <SummaryFigures report={data} />
              <Locked report={data} />
            </>
          ) : (
            <>
              <Figures report={data} server={server} query={query} quality={quality.data} />
              <CallsChart server={server} query={query} report={data} quality={quality} rules={rules} />
              <Details server={server} range={range} clients={data.clients ?? []} query={query} />
              <RequestLog server={server} query={query} />
            </>
          )
        }
      </Loaded>
    </ClientNames.Provider>
  )
}

function Locked({ report }: { report: Output<'analytics.report'> }) {
  return (
    <div class="say i">
      <p>The request log and the figures by day, client and page are part of the core plan and of the trial.</p>
      <div class="a">
        <a class="btn s" href={report.upgradeUrl}>
          See the plans
        </a>
      </div>
    </div>
  )
}
