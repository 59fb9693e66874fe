import type { EvalSet } from './eval-set.ts'

/** Means over the queries that have a relevant document, rounded to three places. */
export type Metrics = {
  n: number
  ndcg10: number
  recall10: number
  mrr10: number
  hit1: number
  hit3: number
  hit5: number
  hit10: number
}

/** Documents by query, best first. */
export type Run = ReadonlyMap<string, readonly string[]>

/** Compares a run with the grades: nDCG with linear gains (Järvelin and Kekäläinen 2002), recall, reciprocal rank. */
export function measureRun(grades: EvalSet['grades'], run: Run): Metrics {
  const sums = { ndcg10: 0, recall10: 0, mrr10: 0, hit1: 0, hit3: 0, hit5: 0, hit10: 0 }
  let n = 0
  for (const [query, graded] of grades) {
    const relevant = [...graded.values()].filter((grade) => grade > 0)
    if (relevant.length === 0) continue
    n++
    const gains = [...new Set(run.get(query))].slice(0, 10).map((id) => Math.max(0, graded.get(id) ?? 0))
    const first = gains.findIndex((gain) => gain > 0)
    sums.ndcg10 += discounted(gains) / discounted(relevant.toSorted((a, b) => b - a).slice(0, 10))
    sums.recall10 += gains.filter((gain) => gain > 0).length / relevant.length
    sums.mrr10 += first < 0 ? 0 : 1 / (first + 1)
    for (const depth of [1, 3, 5, 10] as const) if (first >= 0 && first < depth) sums[`hit${depth}`]++
  }
  const means = Object.entries(sums).map(([name, sum]) => [name, Math.round((1000 * sum) / Math.max(1, n)) / 1000])
  return { n, ...(Object.fromEntries(means) as typeof sums) }
}

/** nDCG@10 of one query. */
export function ndcg10(graded: ReadonlyMap<string, number>, documents: readonly string[]): number {
  const ideal = [...graded.values()].filter((grade) => grade > 0).toSorted((a, b) => b - a)
  if (ideal.length === 0) return 0
  return (
    discounted(documents.slice(0, 10).map((id) => Math.max(0, graded.get(id) ?? 0))) / discounted(ideal.slice(0, 10))
  )
}

function discounted(gains: readonly number[]): number {
  return gains.reduce((sum, gain, index) => sum + gain / Math.log2(index + 2), 0)
}
