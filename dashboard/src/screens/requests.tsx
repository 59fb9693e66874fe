import type { Output } from '@docent/sdk'
import { call } from '../api/call.ts'
import { useLoad } from '../api/use-load.ts'
import { duration, number, percent, shortAddress } from '../lib/format.ts'
import { setQuery } from '../lib/router.ts'
import type { ScreenProps } from '../screens.tsx'
import { type Server, ServerPage } from '../ui/server-page.tsx'
import { Loaded } from '../ui/states.tsx'
import { DailyChart } from './requests/daily-chart.tsx'
import { RequestLog } from './requests/request-log.tsx'
import { RANGES, type Range, rangeOf } from './requests/range.ts'
import '../styles/requests.css'

type Report = Output<'analytics.report'>

/** What clients asked, what they got, and from where. */
export function Requests({ params: { slug = '' }, query }: ScreenProps) {
  return (
    <ServerPage slug={slug} tab="requests">
      {(server) => <Shown server={server} query={query} />}
    </ServerPage>
  )
}

function Shown({ server, query }: { server: Server; query: URLSearchParams }) {
  const range = rangeOf(query)
  const report = useLoad(`report ${server.id} ${range}`, (signal) =>
    call('analytics.report', { id: server.id, range }, { signal }),
  )
  return (
    <>
      <div class="bar top-bar" role="group" aria-label="Filters">
        <select
          aria-label="Period"
          value={range}
          onChange={({ currentTarget }) => setQuery({ range: currentTarget.value, page: null })}
        >
          {(Object.keys(RANGES) as Range[]).map((name) => (
            <option key={name} value={name}>
              {RANGES[name]}
            </option>
          ))}
        </select>
      </div>
      <Loaded from={report} what="the figures">
        {(data) => (
          <>
            <Figures report={data} />
            {data.locked ? <Locked report={data} /> : <Details report={data} server={server} range={range} />}
          </>
        )}
      </Loaded>
      {report.data && !report.data.locked && <RequestLog server={server} query={query} report={report.data} />}
    </>
  )
}

function Figures({ report }: { report: Report }) {
  const { totalCalls, failedCalls, successRate, avgDurationMs, series, latency, clients } = report
  const calls = series?.reduce((sum, day) => sum + day.calls, 0) ?? totalCalls
  const failed = series?.reduce((sum, day) => sum + day.failed, 0) ?? failedCalls
  const share = series ? (calls === 0 ? 1 : 1 - failed / calls) : successRate / 100
  const slow = latency?.p95Ms ?? null
  const half = latency?.p50Ms ?? null
  return (
    <dl class="figs">
      <Figure term="Requests" value={number(calls)} about={`${number(totalCalls)} since the server was made`} />
      <Figure term="Without an error" value={percent(share)} about={`${number(failed)} failed`} />
      <Figure
        term="No good answer"
        value={number(report.unanswered?.reduce((sum, one) => sum + one.calls, 0) ?? 0)}
        about="questions, see below"
      />
      <Figure
        term={slow === null ? 'On average' : 'Slowest 5% took over'}
        value={duration(slow ?? avgDurationMs)}
        about={half === null ? '' : `half within ${duration(half)}`}
      />
      <Figure
        term="Clients"
        value={clients ? number(clients.length) : '–'}
        about={`${number(report.citedSources)} of ${number(report.activeSources)} sources cited`}
      />
    </dl>
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

function Locked({ report }: { report: Report }) {
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

function Details({ report, server, range }: { report: Report; server: Server; range: Range }) {
  const { series, clients, unanswered, topPages } = report
  return (
    <>
      {series && <DailyChart series={series} range={range} />}
      <div class="three">
        <section aria-labelledby="h-gap">
          <h2 id="h-gap">Questions without a good answer</h2>
          {unanswered?.length ? (
            <ul class="gap">
              {unanswered.slice(0, 6).map(({ query, calls }) => (
                <li key={query}>
                  <a href={`/servers/${server.slug}/playground?${new URLSearchParams({ question: query })}`}>{query}</a>
                  <span class="n">{number(calls)} ×</span>
                  <a href={`/servers/${server.slug}/settings#sources`}>Add a source</a>
                </li>
              ))}
            </ul>
          ) : (
            <p class="small mute">Every question of this period had an answer.</p>
          )}
        </section>
        <Bars
          title="Clients"
          empty="No client has called yet."
          rows={(clients ?? []).map(({ name, calls }) => ({ name: name ?? 'without a name', value: calls }))}
        />
        <Bars
          title="Most used pages"
          empty="No page was cited yet."
          rows={(topPages ?? []).map(({ title, url, citations }) => ({
            name: title || shortAddress(url),
            value: citations,
            url,
          }))}
        />
      </div>
    </>
  )
}

type Bar = { name: string; value: number; url?: string }

function Bars({ title, empty, rows }: { title: string; empty: string; rows: readonly Bar[] }) {
  const id = `h-${title.replaceAll(' ', '-')}`
  const most = Math.max(1, ...rows.map(({ value }) => value))
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {rows.length === 0 ? (
        <p class="small mute">{empty}</p>
      ) : (
        <ul class="bl">
          {rows.slice(0, 6).map(({ name, value, url }) => (
            <li key={`${name} ${url}`}>
              <i style={{ width: `${(value / most) * 100}%` }} />
              {url && /^https?:/.test(url) ? (
                <a href={url} target="_blank" rel="noreferrer">
                  {name}
                </a>
              ) : (
                <span>{name}</span>
              )}
              <b>{number(value)}</b>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
