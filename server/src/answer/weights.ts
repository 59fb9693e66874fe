/*
 * Weights and thresholds of extractive answers. Fitted or chosen on questions with gold answers, as each says;
 * `npm run bench -- ablate` sets each to a neutral value and reports those that nothing needs.
 */

/**
 * A logistic model that separates the questions of 17 collections with a right passage among the first five (2,700)
 * from questions of the others (2,114), and from questions about the removed half of two collections (540). Fitted with
 * `l2 = 2`, each collection with equal weight. With each collection left out of the fit in turn, the area under the curve
 * is .970 (.957 with the agreement of three features and without sentences).
 */
export const SURENESS = {
  /** Share of the question in the section that covers most of it. */
  section: 2.49,
  /** Share of the question in all sections together. */
  together: 2.21,
  /** Share of the question in the title and headings of the best section. */
  headings: 2.08,
  /** Share of the question in the best sentence. */
  sentence: 3.65,
  /** Agreement of the search's features. */
  agreement: 16.72,
  /** Logarithm of the number of question terms in the best section. */
  terms: 2.84,
  bias: -18.09,
} as const

/**
 * Minimum sureness of a level. Of the questions of other collections, 93 % are below `low`. A question of several
 * sentences (`described`) has words that no answer needs. Words of other languages than English match less reliably.
 */
export const LEVEL = {
  low: { plain: 0.4, described: -1.85, other: -4.4 },
  medium: { plain: 1, other: -0.5 },
  high: 1.9,
  /** With a confident answer, the best page leads the next one by this share of its score. */
  lead: 0.25,
} as const

/**
 * In a question of up to `terms` terms each counts, so a section with less than `covered` of them answers doubtfully. And
 * many sections have all of them (`whole`), so a confident answer is the beginning of a section about them, with the share
 * `above` in its headings.
 */
export const SHORT_QUESTION = { terms: 4, covered: 0.7, whole: 0.99, above: 0.6 } as const

/** Terms of a heading beside the single term of a question: many headings contain a single word. */
export const DEFINING = { besideTerm: 2 } as const

/** A complete answer quotes this share of its section (`quoted`), or has a sentence with this share of the question. */
export const COMPLETE = { quoted: 0.8, unit: 0.75 } as const

/**
 * Value of a section beside its relative search score of 0 to 1. Chosen with `npm run bench -- answer --gold`, like the
 * values below, among 260 settings on four collections with 690 gold answers. The usefulness of answers is flat around
 * them, also with any collection left out.
 */
export const SECTION = {
  /** For the whole question in its text, in its headings, and in one sentence. */
  text: 0.4,
  headings: 0.3,
  sentence: 0.8,
  /** For a heading that is a name and the whole question, also on a page that is a glossary. */
  name: 2,
  glossary: 0.5,
} as const

/** Score of a sentence, item, row or block of code beside its share of the question. */
export const UNIT = {
  /** Share of the score of its neighbours: a sentence with the answer often shares no word with the question. */
  neighbours: 0.3,
  /** Factor for the first units: they summarise the section. */
  lead: { units: 2, factor: 1.2 },
} as const

/**
 * Choice of what to quote. Characters of an answer, of the best section alone, and of the second section beside it: with
 * the heading and the marks, an answer stays within 1,200. Chosen like the values of `SECTION`.
 */
export const EXCERPT = {
  together: 1_130,
  alone: 960,
  second: 360,
  /** The second section is one of this many after the best. */
  candidates: 2,
  /** Share of the question that the second section must add. */
  gain: 0.07,
  /** A best section with fewer characters gets company of this relative value even if that adds no question term. */
  short: { length: 250, value: 0.6 },
  /** Added to the gain of the options of the thing that the best section describes: its page lists them in a subsection. */
  options: 0.3,
} as const

/** Terms of a question. */
export const TERM = {
  /** Added to the share of pages with a term, so that a word on no page does not outweigh all others together. */
  leastShare: 0.002,
  /** Letters of words that can be forms or compounds of each other, and the share with which both begin. */
  leastAlike: 5,
  alike: 0.7,
} as const
