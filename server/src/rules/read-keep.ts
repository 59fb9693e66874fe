import { RULE_WEIGHTS } from '@docent/contract/values/rule-effects'
import { has, type Item } from '#grammar/item.ts'
import type { Tag } from '#grammar/lexicon.ts'
import type { Strength } from '#grammar/read-modifiers.ts'
import type { Subject } from '#grammar/read-subjects.ts'

const RANKS: readonly Tag[] = ['up', 'down', 'exclude', 'first', 'last', 'not', 'flip']

/** True for `keep the meetups`, which leaves them as they are. */
export function isPlainKeep(main: readonly Item[], { only, weight }: Strength): boolean {
  const isPlain = !only && weight === RULE_WEIGHTS.more && !main.some((item) => has(item, ...RANKS))
  return isPlain && main.some((item) => has(item, 'keep'))
}

/** True for sources alone, and for folders and pages alone: whether one contains the other is known. */
export function canTellApart(some: readonly Subject[], others: readonly Subject[]): boolean {
  const all = [...some, ...others]
  const isFolder = (each: Subject) => each.of === 'path' && /^\/[^*]*(?:\/\*)?$/.test(each.glob)
  return all.every(({ of }) => of === 'source' || of === 'kind') || all.every(isFolder)
}
