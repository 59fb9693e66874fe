import type { Passage } from '#search/passage.ts'
import { addressesModel } from './addresses-model.ts'
import { blocksOf } from './blocks.ts'

/**
 * Removes blocks that address a model. Removes the whole block, because injected text rarely ends with the sentence
 * that reveals it.
 */
export function withholdInjections(passages: readonly Passage[]): Passage[] {
  return passages.map((passage) => {
    if (!addressesModel(passage.passage)) return passage
    const text = passage.passage
    const bad = blocksOf(text).filter(({ start, end }) => addressesModel(text.slice(start, end)))
    let kept = ''
    let from = 0
    for (const { start, end } of bad) {
      kept += text.slice(from, start)
      from = end
    }
    const rest = (kept + text.slice(from)).trim()
    // The injection may be in a heading or span several blocks.
    return { ...passage, passage: addressesModel(rest) ? '' : rest }
  })
}
