import type { Passage } from '#search/passage.ts'
import { addressesModel } from './addresses-model.ts'
import { blocksOf } from './blocks.ts'

/**
 * The passages without the blocks that speak to a model. The whole block goes: what is injected rarely stops after the
 * sentence by which it is known.
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
    // It may stand in a heading, or across blocks.
    return { ...passage, passage: addressesModel(rest) ? '' : rest }
  })
}
