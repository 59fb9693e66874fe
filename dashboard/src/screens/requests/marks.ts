import { shortAddress } from '../../lib/format.ts'
import { PERIOD_MS, type Charted } from './charted.ts'

/** Events that can change answers. A source keeps the time of its last index only. */
export type Marked = {
  rules: readonly { createdAt: string }[]
  sources: readonly { url: string; label: string | null; lastIndexedAt: string | null }[]
}

/** What happened in each period of a chart, in words. Null: nothing. */
export function marksOf({ rules, sources }: Marked, { at, interval }: Charted): (string | null)[] {
  return at.map((begin) => {
    const isWithin = (iso: string | null) => {
      const time = iso === null ? 0 : Date.parse(iso)
      return time >= begin && time < begin + PERIOD_MS[interval]
    }
    const indexed = sources.filter(({ lastIndexedAt }) => isWithin(lastIndexedAt))
    const written = rules.filter(({ createdAt }) => isWithin(createdAt)).length
    const rulesText = written > 1 ? `${written} rules added` : written === 1 ? 'rule added' : ''
    return [rulesText, indexedText(indexed)].filter(Boolean).join(', ') || null
  })
}

function indexedText([source, ...others]: Marked['sources']): string {
  if (!source) return ''
  return others.length > 0
    ? `${others.length + 1} sources indexed`
    : `${source.label ?? shortAddress(source.url)} indexed`
}
