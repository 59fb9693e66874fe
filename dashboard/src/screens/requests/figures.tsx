import type { Output } from '@docent/sdk'
import { call } from '../../api/call.ts'
import { useLoad } from '../../api/use-load.ts'
import { duration, number, percent, signed } from '../../lib/format.ts'
import type { Server } from '../../ui/server-page.tsx'
import { WIDER, compared } from './charted.ts'
import { filterOf, given } from './filter.ts'
import { rangeOf } from './range.ts'

type Report = Output<'analytics.report'>
type Series = Output<'analytics.series'>

/** Figures for plans without analytics: totals since the server was created. */
export function SummaryFigures({ report }: { report: Report }) {
  const { totalCalls, failedCalls, successRate, avgDurationMs } = report
  return (
    <dl class="figs">
      <Figure term="Requests" value={number(totalCalls)} about="since the server was made" />
      <Figure term="Without an error" value={percent(successRate / 100)} about={`${number(failedCalls)} failed`} />
      <Figure term="On average" value={duration(avgDurationMs)} about="a request" />
      <SourcesFigure report={report} />
    </dl>
  )
}

type Quality = Output<'analytics.quality'>
type Props = { report: Report; server: Server; query: URLSearchParams; quality: Quality | null }

/** The figures of the period and the filters, compared with the time before. */
export function Figures({ report, server, query, quality }: Props) {
  const range = rangeOf(query)
  const filter = filterOf(query)
  const asked = { id: server.id, by: 'tool' as const, ...given(filter) }
  const key = JSON.stringify([asked, range])
  const now = useLoad(`figures ${key}`, (signal) => call('analytics.series', { ...asked, range }, { signal }))
  const wider = WIDER[range]
  const before = useLoad(`figures before ${key}`, async (signal) =>
    wider ? call('analytics.series', { ...asked, range: wider }, { signal }) : null,
  )
  const total: Series['total'] | null = now.data?.total ?? null
  const change = before.data && compared(before.data, range, Date.now())
  return (
    <dl class="figs">
      <Figure
        term="Requests"
        value={total ? number(total.calls) : '–'}
        about={change ? `${signed(change.calls - change.before)} on the time before` : 'in this period'}
      />
      <Figure term="Without an error" value={successOf(total)} about={total ? `${number(total.failed)} failed` : ''} />
      <Figure
        term="No good answer"
        value={quality ? number(quality.unanswered) : '–'}
        about={quality ? `${number(quality.outcomes.related)} only related` : ''}
      />
      <Figure
        term="Slowest 5% took over"
        value={total?.p95Ms ? duration(total.p95Ms) : '–'}
        about={total?.p50Ms ? `half within ${duration(total.p50Ms)}` : ''}
      />
      <SourcesFigure report={report} />
      {quality && <FeedbackFigure feedback={quality.feedback} />}
    </dl>
  )
}

/** What visitors of widgets said. Without a word of theirs there is no figure. */
function FeedbackFigure({ feedback: { helpful, notHelpful } }: Pick<Quality, 'feedback'>) {
  const said = helpful + notHelpful
  if (said === 0) return null
  return (
    <Figure
      term="Helpful to visitors"
      value={percent(helpful / said)}
      about={`${number(helpful)} of ${number(said)} said so`}
    />
  )
}

/** No request is neither a success nor a failure. */
const successOf = (total: Series['total'] | null): string =>
  total && total.calls > 0 ? percent(1 - total.failed / total.calls) : '–'

function SourcesFigure({ report: { citedSources, activeSources, clients } }: { report: Report }) {
  return clients ? (
    <Figure
      term="Clients"
      value={number(clients.length)}
      about={`${number(citedSources)} of ${number(activeSources)} sources cited`}
    />
  ) : (
    <Figure term="Sources cited" value={number(citedSources)} about={`of ${number(activeSources)}`} />
  )
}

function Figure({ term, value, about }: { term: string; value: string; about: string }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd class="v">{value}</dd>
      <dd class="d">{about}</dd>
    </div>
  )
}
