import { count, left, number } from '../lib/format.ts'
import type { Counts } from '../lib/counts.ts'

type Props = { counts: Counts; label: string; small?: boolean; etaSeconds?: number | null; unit?: string }

/** Progress as a ruler: indexed, skipped, failed, and an empty rest. */
export function Ruler({ counts, label, small, etaSeconds, unit = 'page' }: Props) {
  const { found, indexed, skipped, failed } = counts
  const share = (part: number) => ({ width: `${found === 0 ? 0 : (part / found) * 100}%` })
  const settled = found === 0 ? 0 : ((indexed + skipped + failed) / found) * 100
  const time = etaSeconds ? `, ${left(etaSeconds)} left` : ''
  return (
    <div
      class={small ? 'ruler sm' : 'ruler'}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(settled)}
      aria-valuetext={`${number(indexed)} of ${count(found, unit)} indexed, ${number(skipped)} skipped, ${number(failed)} failed${time}`}
    >
      <i class="i-done" style={share(indexed)} />
      <i class="i-skip" style={share(skipped)} />
      {failed > 0 && <i class="i-fail" style={share(failed)} />}
    </div>
  )
}
