import type { Weights } from '@docent/server/search/weights.ts'

/** The same tree with, for each number, the value or values that switch it off. */
export type Neutral<T> = { readonly [K in keyof T]: T[K] extends number ? number | readonly number[] : Neutral<T[K]> }

/** Values without effect. A weight that is added up has 0, a factor or exponent what leaves its operand as it is. */
export const NEUTRAL_RANKING: Neutral<Weights> = {
  question: { repeat: 0, rarity: 0, language: 1 },
  chunk: { k1: 0, b: 0, code: 1, ownHeading: 0, outerHeading: 0, part: 0, title: 0 },
  page: {
    k1: 0,
    delta: 0,
    weight: { title: 0, headings: 0, anchors: 0, path: 0, text: 0, parts: 0 },
    b: { title: 0, headings: 0, anchors: 0, path: 0, text: 0, parts: 0 },
    code: 1,
    coverage: 0,
  },
  fusion: {
    chunk: 0,
    page: 0,
    decay: 0,
    lead: 0,
    titlePrecision: 0,
    headingPrecision: 0,
    exactTitle: 0,
    latent: 0,
    feedback: 0,
    named: 0,
    opening: 0,
    wordOrder: 0,
  },
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
