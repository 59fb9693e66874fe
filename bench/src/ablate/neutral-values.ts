import type * as answerWeights from '@docent/server/answer/weights.ts'
import type { Weights } from '@docent/server/search/weights.ts'

/** The same tree with, for each number, the value or values that switch it off. */
export type Neutral<T> = { readonly [K in keyof T]: T[K] extends number ? number | readonly number[] : Neutral<T[K]> }

/** Values without effect. A weight that is added up has 0, a factor or exponent what leaves its operand as it is. */
export const NEUTRAL_RANKING: Neutral<Weights> = {
  question: { repeat: 0, rarity: 0, language: 1 },
  chunk: { k1: 0, b: 0, title: 0 },
  news: 1,
  product: 1,
  template: { pages: [0, 1e6], loss: 0 },
  page: {
    k1: 0,
    delta: 0,
    rarity: 0,
    weight: { title: 0, headings: 0, anchors: 0, path: 0, text: 0, parts: 0 },
    b: { title: 0, headings: 0, anchors: 0, path: 0, text: 0 },
  },
  fusion: {
    chunk: 0,
    page: 0,
    decay: 0,
    lead: 0,
    titlePrecision: 0,
    headingPrecision: 0,
    latent: 0,
    feedback: 0,
    opening: 0,
    wordOrder: 0,
  },
}

/** Values that no share, sureness or count reaches, in either direction. */
const [NEVER, ALWAYS] = [1e6, -1e6]
const EITHER = [ALWAYS, NEVER] as const

/**
 * The same for answers, by the name of the exported object. A threshold is off if everything passes it, and if nothing
 * does. So is a limit.
 */
export const NEUTRAL_ANSWERS: Neutral<typeof answerWeights> = {
  ANSWERED: {
    weights: { section: 0, sentence: 0, agreement: 0, terms: 0, foreign: 0, described: 0 },
    bias: 0,
    level: { none: EITHER, low: EITHER },
  },
  COMPLETE: { weights: { first: 0, agreement: 0, lead: 0 }, bias: 0, high: EITHER },
  LENGTHS: { first: NEVER, second: [0, NEVER], third: [0, NEVER], carried: 0 },
  TERM: { leastShare: 0, leastAlike: EITHER, alike: EITHER },
}

type Tree = { readonly [name: string]: number | readonly number[] | Tree }

/** Paths of all numbers with their neutral values, such as `fusion.chunk`. */
export function listNeutral(tree: Tree, above = ''): { path: string; value: number }[] {
  return Object.entries(tree).flatMap(([name, value]) => {
    if (typeof value === 'number') return [{ path: above + name, value }]
    if (isNumbers(value)) return value.map((one) => ({ path: above + name, value: one }))
    return listNeutral(value, `${above}${name}.`)
  })
}

function isNumbers(value: readonly number[] | Tree): value is readonly number[] {
  return Array.isArray(value)
}
