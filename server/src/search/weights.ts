/** Numbers that scoring is made of. Found by `bench/src/tune.ts` on questions with known answers; one set for all servers. */
export type Weights = {
  /** BM25F of a passage: how much an occurrence counts by where it stands. */
  chunk: {
    k1: number
    b: number
    code: number
    /** In the passage's own heading, and in one above it. */
    ownHeading: number
    outerHeading: number
    /** As a part of an identifier. */
    part: number
    /** In the page's title, for passages that hold the term too. */
    title: number
  }
  /** BM25+ of a page, field by field (Lv and Zhai 2011): weight and length normalisation of each. */
  page: {
    k1: number
    delta: number
    weight: PageFieldNumbers
    b: PageFieldNumbers
    code: number
    /** Exponent of the share of the question that the page covers. */
    coverage: number
  }
  /** How much features count in the sum that ranks. All of them lie between 0 and 1. */
  fusion: FusionWeights
}

export type PageFieldNumbers = {
  title: number
  headings: number
  anchors: number
  path: number
  text: number
  parts: number
}

export type FusionWeights = {
  /** Score of the passage. */
  chunk: number
  /** Score of the page's fields times its coverage. */
  page: number
  /** Sum of the page's passages, each counting for half of the one before. */
  decay: number
  /** Share of the title's words that the question has, squared. */
  titlePrecision: number
  /** The same of the passage's heading, times the share of the question that it has. */
  headingPrecision: number
  /** Title and question are the same. */
  exactTitle: number
  /** Likeness in the latent space, for questions of several words. */
  latent: number
  /** Likeness in the latent space to the pages that are best without it. */
  feedback: number
  /** Named in the texts of the pages that are best without it. */
  named: number
  /** Share of the question's neighbouring words that the passage has side by side, too. */
  wordOrder: number
}

export const WEIGHTS: Weights = {
  chunk: { k1: 1.4, b: 0.6, code: 0.5, ownHeading: 0.8, outerHeading: 1.5, part: 0.3, title: 1 },
  page: {
    k1: 12,
    delta: 1,
    weight: { title: 3, headings: 1.5, anchors: 2.1, path: 1, text: 0.87, parts: 0.3 },
    b: { title: 1, headings: 0.6, anchors: 0.5, path: 0.5, text: 0.6, parts: 0.5 },
    code: 0.8,
    coverage: 1,
  },
  fusion: {
    chunk: 0.5,
    page: 0.7,
    decay: 0.11,
    titlePrecision: 0.2,
    headingPrecision: 0.4,
    exactTitle: 0.2,
    latent: 0.4,
    feedback: 0.25,
    named: 0.2,
    wordOrder: 0.9,
  },
}
