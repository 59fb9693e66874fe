import type { Output } from '@docent/sdk'
import { useEffect, useRef, useState } from 'preact/hooks'
import { count, day, duration, number } from '../../lib/format.ts'
import type { Range } from './range.ts'

type Day = NonNullable<Output<'analytics.report'>['series']>[number]

const HEIGHT = 200
const LEFT = 34
const BOTTOM = 22
const DAY_MS = 86_400_000
/** Days that a period shows, with or without calls. Longer periods begin with their first call. */
const DAYS: Partial<Record<Range, number>> = { '7d': 7, '30d': 30, '90d': 90 }
/** Days drawn at most; older ones are in the table. */
const MOST = 120

/** Requests a day as bars, with the failed ones hatched. The same numbers follow as a table. */
export function DailyChart({ series, range }: { series: readonly Day[]; range: Range }) {
  const [figure, width] = useWidth()
  const days = withEmptyDays(series, DAYS[range]).slice(-MOST)
  const total = series.reduce((sum, { calls }) => sum + calls, 0)
  if (total === 0) return <p class="chart mute">No client has called in this period.</p>
  const top = niceTop(Math.max(...days.map(({ calls }) => calls)))
  const y = (value: number) => 8 + (HEIGHT - 8) * (1 - value / top)
  return (
    <figure class="chart" ref={figure}>
      <figcaption>
        <span>Requests a day (UTC)</span>
        <span class="lg">
          <span class="a">answered</span>
          <span class="c">failed</span>
        </span>
      </figcaption>
      <svg
        width={width}
        height={HEIGHT + BOTTOM}
        role="img"
        aria-label={`${count(total, 'request')} from ${day(days[0]?.date ?? '')} to ${day(days.at(-1)?.date ?? '')}`}
      >
        <defs>
          <pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)">
            <rect width="6" height="6" fill="var(--surface)" />
            <rect width="6" height="3" fill="var(--bad)" />
          </pattern>
        </defs>
        {[0, 0.5, 1].map((part) => (
          <g key={part}>
            <line x1={LEFT} x2={width} y1={y(top * part)} y2={y(top * part)} class="grid" />
            <text x={LEFT - 8} y={y(top * part) + 4} text-anchor="end">
              {number(top * part)}
            </text>
          </g>
        ))}
        <Bars days={days} width={width} y={y} />
      </svg>
      <Numbers series={series} />
    </figure>
  )
}

type BarsProps = { days: readonly Day[]; width: number; y: (value: number) => number }

/** A bar for each day. Dates stand below as many of them as there is room for. */
function Bars({ days, width, y }: BarsProps) {
  const step = (width - LEFT) / days.length
  const thickness = Math.max(1, Math.min(34, step * 0.66))
  const every = Math.max(1, Math.ceil(days.length / (width < 600 ? 4 : 8)))
  return (
    <>
      {days.map(({ date, calls, failed }, index) => {
        const x = LEFT + index * step
        const bar = { x: x + (step - thickness) / 2, width: thickness }
        return (
          <g key={date}>
            <title>{`${day(date)}: ${count(calls, 'request')}, ${number(failed)} failed`}</title>
            <rect {...bar} y={y(calls)} height={y(calls - failed) - y(calls)} fill="url(#hatch)" />
            <rect {...bar} y={y(calls - failed)} height={y(0) - y(calls - failed)} class="fill" />
            {index % every === 0 && (
              <text x={x + step / 2} y={HEIGHT + 16} text-anchor="middle">
                {day(date)}
              </text>
            )}
          </g>
        )
      })}
    </>
  )
}

/** The days with calls as a table, newest first. */
function Numbers({ series }: { series: readonly Day[] }) {
  return (
    <details class="small">
      <summary>Show the numbers</summary>
      <table class="table">
        <thead>
          <tr>
            <th scope="col">Day</th>
            <th scope="col" class="r">
              Requests
            </th>
            <th scope="col" class="r">
              Failed
            </th>
            <th scope="col" class="r">
              Half within
            </th>
          </tr>
        </thead>
        <tbody>
          {series.toReversed().map(({ date, calls, failed, p50Ms }) => (
            <tr key={date}>
              <th scope="row">{day(date)}</th>
              <td class="r">{number(calls)}</td>
              <td class="r">{number(failed)}</td>
              <td class="r">{p50Ms === null ? '–' : duration(p50Ms)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}

/** The width of an element, as it changes. */
function useWidth() {
  const element = useRef<HTMLElement>(null)
  const [width, setWidth] = useState(800)
  useEffect(() => {
    const { current } = element
    if (!current) return
    const observer = new ResizeObserver(([entry]) => entry && setWidth(Math.floor(entry.contentRect.width)))
    observer.observe(current)
    return () => observer.disconnect()
  }, [])
  return [element, width] as const
}

/** The service lists days with calls only. */
function withEmptyDays(series: readonly Day[], shown = 1): Day[] {
  const [first] = series
  if (!first) return []
  const known = new Map(series.map((one) => [one.date, one]))
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS
  const days: Day[] = []
  for (let at = Math.min(Date.parse(first.date), today - (shown - 1) * DAY_MS); at <= today; at += DAY_MS) {
    const date = new Date(at).toISOString().slice(0, 10)
    days.push(known.get(date) ?? { date, calls: 0, failed: 0, p50Ms: null, p95Ms: null })
  }
  return days
}

/** The next even number of 1, 2 or 5 times a power of ten. */
function niceTop(most: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(2, most)))
  const factor = [1, 2, 5, 10].find((one) => one * power >= most) ?? 10
  return Math.max(2, factor * power)
}
