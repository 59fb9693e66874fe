import { count, day, number } from '../lib/format.ts'

const WIDTH = 112
const HEIGHT = 26
const GAP = 3
/** A day with calls is visible beside one with a thousand times as many. */
const LEAST = 2

type Props = {
  /** Days as dates, oldest first. */
  days: readonly string[]
  calls: readonly number[]
  failed: readonly number[]
}

/** Calls by day as bars, the failed part hatched. All days have the same width, and each says its numbers. */
export function Spark({ days, calls, failed }: Props) {
  const most = Math.max(1, ...calls)
  const total = calls.reduce((sum, one) => sum + one, 0)
  const bad = failed.reduce((sum, one) => sum + one, 0)
  const step = (WIDTH + GAP) / days.length
  const heightOf = (value: number) => (value === 0 ? 0 : Math.max(LEAST, (value / most) * (HEIGHT - 1)))
  return (
    <svg
      class="spark"
      width={WIDTH}
      height={HEIGHT}
      role="img"
      aria-label={`${count(total, 'request')} in ${days.length} days, ${number(bad)} failed`}
    >
      <path d={`M0 ${HEIGHT - 0.5}H${WIDTH}`} class="grid" />
      {days.map((date, index) => {
        const [made = 0, wrong = 0] = [calls[index], failed[index]]
        const [tall, part] = [heightOf(made), heightOf(wrong)]
        const place = { x: index * step, width: step - GAP }
        return (
          <g key={date}>
            <title>{`${day(date)}: ${count(made, 'request')}, ${number(wrong)} failed`}</title>
            <rect {...place} y={0} height={HEIGHT} class="all" />
            <rect {...place} y={HEIGHT - tall} height={tall} class="fill" />
            <rect {...place} y={HEIGHT - tall} height={Math.min(part, tall)} class="bad-part" />
          </g>
        )
      })}
    </svg>
  )
}
