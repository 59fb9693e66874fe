import type { RuleEffect } from '@docent/contract/servers/rule-effects'
import { has, type Item } from './annotate.ts'
import { numberOf } from './number-of.ts'
import { type Named, readSubjects } from './read-subjects.ts'

type Limit = Extract<RuleEffect, { kind: 'max_per_source' }>

const MOST = 50

/** Reads `at most 2 results per source` and `at most 2 results from the blog`. Null without a number of results. */
export function readLimit(items: readonly Item[], named: Named): Limit | null {
  const at = items.findIndex((item) => has(item, 'at_most'))
  const index = items.findIndex((item, place) => place > at && numberOf(item) !== null)
  const n = index < 0 ? null : numberOf(items[index])
  if (at < 0 || n === null || n < 1 || n > MOST) return null
  const after = items.slice(index + 1)
  const isPerSource = items.some((item) => has(item, 'per_source'))
  if (isPerSource) return { kind: 'max_per_source', n }
  if (!after.some((item) => has(item, 'results'))) return null
  const source = readSubjects(after, named, () => false).find(({ of }) => of === 'source')
  return source?.of === 'source' ? { kind: 'max_per_source', n, sourceId: source.sourceId } : null
}
