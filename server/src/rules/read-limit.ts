import type { RuleEffect } from '@docent/contract/values/rule-effects'
import { has, type Item, numberOf } from '#grammar/item.ts'
import { HOLLOW, LINKS } from '#grammar/clause-words.ts'
import type { Named } from '#grammar/found.ts'
import type { Tag } from '#grammar/lexicon.ts'
import { readNames } from '#grammar/read-subjects.ts'

type Limit = Extract<RuleEffect, { kind: 'max_per_source' }>

const MOST_RESULTS = 50

/**
 * Reads `at most 2 results per source`, `no source may fill more than 2 places` and `at most 2 results from the blog`.
 * Null without a number of results, or with words that the limit does not account for.
 */
export function readLimit(items: readonly Item[], named: Named): Limit[] | null {
  const fewer = items.some((item) => has(item, 'fewer_than'))
  const isNegated = items.some((item) => has(item, 'not'))
  const isShare = items.some((item) => has(item, 'only')) && items.some((item) => has(item, 'per_source'))
  const isLimit =
    fewer ||
    isShare ||
    items.some((item) => has(item, 'at_most', 'enough')) ||
    (isNegated && items.some((item) => has(item, 'more_than')))
  const mark = items.findIndex((item) => has(item, 'at_most', 'more_than', 'fewer_than'))
  const index = items.findIndex(
    (item, place) =>
      numberOf(item) !== null && (!has(item, 'filler', 'per_source') || (place === mark + 1 && mark >= 0)),
  )
  const number = numberOf(items[index])
  const numbers = items.flatMap((item) => (has(item, 'filler', 'per_source') ? [] : (numberOf(item) ?? [])))
  // `Only two results from the wiki`
  const isOnly = has(items[index - 1], 'only')
  // `Three results, one per source`
  if ((!isLimit && !isOnly) || number === null || numbers.some((each) => each !== number)) return null
  const n = fewer && !isNegated ? number - 1 : number
  if (n < 1 || n > MOST_RESULTS) return null
  const own = named.ownSource === null ? {} : { sourceId: named.ownSource }
  // `a single passage` has its number twice.
  const rest = items.filter((item, at) => at !== index && !isAccounted(item) && numberOf(item) !== number)
  if (items.some((item) => has(item, 'per_source')))
    return rest.length === 0 ? [{ kind: 'max_per_source', n, ...own }] : null
  const names = readNames(
    items.filter((_, at) => at !== index),
    named,
  )
  const [source] = names.subjects
  const sourceId =
    source?.of === 'source'
      ? source.sourceId
      : source?.of === 'kind' && source.sources.length === 1
        ? source.sources[0]
        : undefined
  const left = rest.filter((item) => !names.used.has(item))
  if (sourceId === undefined || names.subjects.length > 1 || left.length > 0) return null
  if (!items.some((item) => has(item, 'results'))) return null
  return [{ kind: 'max_per_source', n, sourceId }]
}

/** Words that a limit has, or that say nothing. */
const isAccounted = (item: Item): boolean => item.isComma || has(item, ...HOLLOW, ...LINKS, ...LIMITS, ...BESIDES)

const LIMITS: readonly Tag[] = ['at_most', 'more_than', 'fewer_than', 'enough', 'per_source']
const BESIDES: readonly Tag[] = ['not', 'always', 'only', 'first']
