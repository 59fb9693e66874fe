/*
 * Weights and thresholds of extractive answers. Fitted or chosen on questions with gold answers, as each says;
 * `npm run bench -- ablate` sets each to a neutral value and reports those that nothing needs.
 */

/**
 * A logistic model that separates the questions of 19 collections with an answer (712) from questions without one there
 * (561), each collection with equal weight. With each collection left out of the fit in turn, the area under the curve is
 * .84 to 1.
 */
export const ANSWERED = {
  weights: {
    /** Share of the question in the shown section that covers most of it. */
    section: 2.56,
    /** Share of the question in the best sentence of the first section with the headings above it. */
    sentence: 1.8,
    /** Agreement of the search's features. */
    agreement: 5.09,
    /** Logarithm of the number of question terms in the first section. */
    terms: 1.72,
    /** A question in another language than English, whose words match less often. */
    foreign: 1.98,
    /** A question of several sentences, with words that no answer needs. */
    described: 1.07,
  },
  bias: -7.28,
  /** Minimum of an answer that is only related, and of one with medium confidence. */
  level: { none: -1.2, low: -0.2 },
} as const

/** A logistic model of whether an answer has the key fact, fitted in the same way on the questions with an answer. */
export const COMPLETE = {
  weights: {
    /** Share of the question in the first section. */
    first: 1.51,
    agreement: 7.01,
    /** Lead of the best page's score over the next page's. */
    lead: 2.08,
  },
  bias: -4.69,
  /** Minimum of high confidence: of 245 questions over documentation a quarter have it, and .85 of those the key fact. */
  high: 1.7,
} as const

/**
 * Characters of the sections that an answer shows, best first, and the part of what one leaves over that the next may
 * use. With more of each, 92 questions over documentation that nothing was tuned on gain 2 answers in 100 characters.
 */
export const LENGTHS = { first: 1_200, second: 400, third: 300, carried: 200 } as const

/** Terms of a question. */
export const TERM = {
  /** Added to the share of pages with a term, so that a word on no page does not outweigh all others together. */
  leastShare: 0.002,
  /** Letters of words that can be forms or compounds of each other, and the share with which both begin. */
  leastAlike: 5,
  alike: 0.7,
} as const
