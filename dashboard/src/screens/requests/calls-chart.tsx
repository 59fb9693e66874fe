import type { Output } from '@docent/sdk'
import { call } from '../../api/call.ts'
import { type Loading, useLoad } from '../../api/use-load.ts'
import { duration, number, localHour, utcDay } from '../../lib/format.ts'
import { setQuery } from '../../lib/router.ts'
import { Segments } from '../../ui/segments.tsx'
import type { Server } from '../../ui/server-page.tsx'
import { Loaded } from '../../ui/states.tsx'
import { Chart } from './chart.tsx'
import { useClientName } from './client-name.ts'
import { type Charted, byGroup, byOutcome, durationsOfAll, durationsOfGroup, within } from './charted.ts'
import { filterOf, given, isFiltered } from './filter.ts'
import { type Marked, marksOf } from './marks.ts'
import { type Range, chartPeriod, daysOf, rangeOf, spanOf } from './range.ts'
import '../../styles/chart.css'

type Series = Output<'analytics.series'>
type Quality = Output<'analytics.quality'>

const SHOWN = [
  { name: 'outcome', title: 'Outcome' },
  { name: 'client', title: 'Clients' },
  { name: 'tool', title: 'Tools' },
  { name: 'configuration', title: 'Widgets' },
  { name: 'duration', title: 'Durations' },
] as const
type Shown = (typeof SHOWN)[number]['name']

const INTERVALS = [
  { name: 'day', title: 'Days' },
  { name: 'hour', title: 'Hours' },
] as const

type Props = {
  server: Server
  query: URLSearchParams
  report: Output<'analytics.report'>
  quality: Loading<Quality>
  rules: Marked['rules']
}

/** Requests over time, and how long they took. The choices are in the address. */
export function CallsChart({ server, query, report, quality, rules }: Props) {
  const shown = SHOWN.find(({ name }) => name === query.get('show'))?.name ?? 'outcome'
  const { range, interval } = chartPeriod(query, Date.now())
  const series = useSeries({ server, query, shown, range, interval })
  const hourly = useHours({ server, query, interval })
  return (
    <section class="over-time" aria-label="Requests over time">
      <div class="bar">
        <Segments
          label="What the chart shows"
          options={SHOWN}
          value={shown}
          onChange={(name) => setQuery({ show: name === 'outcome' ? null : name })}
        />
        {rangeOf(query) === '7d' && daysOf(query) === null && (
          <Segments
            label="Length of a period"
            options={INTERVALS}
            value={interval}
            onChange={(name) => setQuery({ interval: name === 'day' ? null : name })}
          />
        )}
        <span class="sp" />
        <ChooseDays query={query} />
      </div>
      <Loaded from={series} what="the chart">
        {(loaded) => (
          <Loaded from={interval === 'hour' ? hourly : quality} what="the chart">
            {(counted) =>
              counted && (
                <Drawn
                  series={loaded}
                  quality={counted}
                  shown={shown}
                  query={query}
                  report={report}
                  marked={{ rules, sources: server.sources }}
                />
              )
            }
          </Loaded>
        )}
      </Loaded>
    </section>
  )
}

/** Limits the chart to some days. One day shows its hours. */
function ChooseDays({ query }: { query: URLSearchParams }) {
  const days = daysOf(query)
  const field = (name: 'from' | 'to', title: string) => (
    <label class="check">
      {title}
      <input
        type="date"
        max={new Date().toISOString().slice(0, 10)}
        value={days?.[name] ?? ''}
        onChange={({ currentTarget }) => setQuery({ [name]: currentTarget.value || null, interval: null })}
      />
    </label>
  )
  return (
    <>
      {field('from', 'From')}
      {field('to', 'to')}
      {days && (
        <button type="button" class="lnk" onClick={() => setQuery({ from: null, to: null })}>
          All days
        </button>
      )}
    </>
  )
}

/** The outcomes by hour, if the chart shows hours. */
function useHours({ server, query, interval }: Pick<Asked, 'server' | 'query' | 'interval'>): Loading<Quality | null> {
  const asked = { id: server.slug, range: '7d' as const, interval, ...given(filterOf(query)) }
  return useLoad(`hours ${JSON.stringify(asked)}`, (signal) =>
    interval === 'hour' ? call('analytics.quality', asked, { signal }) : Promise.resolve(null),
  )
}

type Asked = { server: Server; query: URLSearchParams; shown: Shown; range: Range; interval: 'day' | 'hour' }

function useSeries({ server, query, shown, range, interval }: Asked): Loading<Series> {
  const asked = { id: server.id, range, interval, by: groupingOf(shown, query), ...given(filterOf(query)) }
  return useLoad(`series ${JSON.stringify(asked)}`, (signal) => call('analytics.series', asked, { signal }))
}

/** Durations of one group are known: of the client, the tool or the widget of the filter. */
function groupingOf(shown: Shown, query: URLSearchParams): Series['by'] {
  if (shown === 'client' || shown === 'tool' || shown === 'configuration') return shown
  const { client, configuration } = filterOf(query)
  if (shown === 'duration' && configuration) return 'configuration'
  return shown === 'duration' && client ? 'client' : 'tool'
}

type DrawnProps = {
  series: Series
  quality: Quality
  shown: Shown
  query: URLSearchParams
  report: Props['report']
  marked: Marked
}

function Drawn({ series, quality, shown, query, report, marked }: DrawnProps) {
  const { interval } = series
  const nameOf = useClientName()
  const formatAt = (at: number) => (interval === 'day' ? utcDay(at) : localHour(at))
  if (series.total.calls === 0) return <p class="chart mute">{emptyText(shown, query)}</p>
  // Days are counted in UTC, hours are shown in the time of the browser.
  const zone = interval === 'day' ? ' (UTC)' : ''
  const each = interval === 'day' ? 'a day' : 'an hour'
  const days = daysOf(query)
  const shownOf = (charted: Charted) => (days ? within(charted, spanOf(days)) : charted)
  if (shown !== 'duration') {
    const charted = shownOf(
      shown === 'outcome'
        ? byOutcome(quality, Date.now())
        : byGroup(series, Date.now(), shown === 'client' ? nameOf : undefined),
    )
    if (charted.at.length === 0) return <p class="chart mute">These days are not in the period.</p>
    const about = { charted, marks: marksOf(marked, charted), title: `Requests ${each}${zone}` }
    return <Chart {...about} kind="bars" format={number} formatAt={formatAt} />
  }
  const durations = durationsIn(series, query, report)
  const charted = durations && shownOf(durations)
  if (!charted) return <p class="chart mute">Choose one client or one tool to see how long its requests took.</p>
  return (
    <Chart
      charted={charted}
      marks={marksOf(marked, charted)}
      kind="lines"
      title={`How long requests took${zone}`}
      format={duration}
      formatAt={formatAt}
    />
  )
}

function emptyText(shown: Shown, query: URLSearchParams): string {
  if (shown === 'configuration') return 'No widget has asked in this period.'
  return isFiltered(filterOf(query))
    ? 'No request of this period matches the filters.'
    : 'There is no request in this period. Connect a client, and its requests appear here.'
}

/** Percentiles of several groups cannot be joined here. Those of all requests come with the report. */
function durationsIn(series: Series, query: URLSearchParams, { series: all }: Props['report']): Charted | null {
  if (!isFiltered(filterOf(query)) && all && series.interval === 'day')
    return durationsOfAll(all, series.range, Date.now())
  return series.groups.length === 1 ? durationsOfGroup(series, Date.now()) : null
}
