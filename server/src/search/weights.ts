/**
 * Scoring parameters, the same for all servers. Each stays because the development sets or the gate lose without it, or
 * one set loses .01. Tuned by `bench/src/eval/tune.ts` on questions with known answers.
 */
export const WEIGHTS = {
  question: {
    /** Exponent of the number of times that a question repeats a word. */
    repeat: 0.7,
    /** Exponent of a word's rarity in the share of the question that a page covers. */
    rarity: 0.7,
    /** Weight of the name of a programming language. */
    language: 0.5,
  },
  /** BM25 of a passage, with the weight of the page's title for passages that contain the term too. */
  chunk: { k1: 1.4, b: 0.6, title: 1 },
  /**
   * A passage whose text is on at least `pages` pages with other names loses this share of its score. A family of fewer
   * pages, such as those of `md5sum` and `sha1sum`, is what a question is about.
   */
  template: { pages: 16, loss: 0.85 },
  /** Factor for changelogs, announcements of releases and blogs, unless a question asks for news. */
  news: 0.8,
  /** Factor for pages of other products than the one that a question names. */
  product: 0.7,
  /**
   * BM25+ of a page by field, with a weight and length normalisation per field. `rarity` is the exponent of the product
   * of a term's idf in the field and on the whole page: a word of one title is not rare if all pages have it. Parts of
   * names are not normalised.
   */
  page: {
    k1: 4,
    delta: 0.2,
    rarity: 0.6,
    weight: { title: 3, headings: 1.5, anchors: 2.1, path: 1, text: 1.1, parts: 0.45 },
    b: { title: 1, headings: 0.6, anchors: 0.5, path: 0.5, text: 0.8 },
  },
  /** Weights of the features in the final score. All features are between 0 and 1. */
  fusion: {
    /** Score of the passage. */
    chunk: 0.4,
    /** Field score of the page times its coverage. */
    page: 0.8,
    decay: 0.11,
    /** Score of the page's first passage, which usually says what the page is about. */
    lead: 0.2,
    /** Share of the title's words found in the question, squared. */
    titlePrecision: 0.2,
    /** Share of the heading's words found in the question, squared, times the share of the question in the heading. */
    headingPrecision: 0.4,
    /** Similarity in the latent space, for questions of several words. */
    latent: 0.4,
    /** Latent similarity to the best pages of the preliminary ranking. */
    feedback: 0.25,
    /** Share of the words of the question that the beginning of a long page has. */
    opening: 1,
    /** Share of the question's adjacent words that are close in the passage too. */
    wordOrder: 0.9,
  },
}
export type Weights = typeof WEIGHTS
export type FusionWeights = Weights['fusion']
