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
  /** A question of several sentences. */
  described: 1.15,
  /** A language that forms words with endings and compounds, or without spaces. */
  forms: { none: 0, endings: 1.99, script: -2 },
  bias: -18.09,
} as const

/**
 * Minimum sureness of a level. Of the questions of other collections, 93 % are below `low`. Words of other languages than
 * English match less reliably, so their deduction is what loses hardly an answer: 15 % (German) and 30 % (Japanese) of
 * questions about removed pages are below `low`, and 75 % and 85 % below `medium`.
 */
export const LEVEL = {
  low: { plain: 0.4, described: -0.7, other: -4.4 },
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

/** What sections must have to define a term. */
export const DEFINING = {
  /** Terms of a heading beside the single term of a question: many headings contain a single word. */
  besideTerm: 2,
  /** Best sections that may define it, which are those that are quoted at most. */
  sections: 2,
} as const

/**
 * A complete answer quotes the share `quoted` of its section, or has a sentence with the share `unit` of the question. A
 * second section shows that something was missing, so both together have the share `together`, and the first is no mere
 * line of fewer than `length` characters. Of the answers with high confidence in four collections, 13 of 13, 6 of 7, 78 of
 * 78 and 168 of 168 contain the facts of the gold answer. Neighbouring values give the same.
 */
export const COMPLETE = { quoted: 0.8, unit: 0.75, together: 0.8, length: 150 } as const

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
  /** Share of `name` that a section of code, or a later passage, gets: the first text says what a thing is. */
  continued: 0.5,
  /** Deduction for fewer characters than `least`, such as a heading above a link. */
  thin: { least: 40, value: 0.5 },
  /**
   * Deduction for a table of contents: a section with at least `entries` list items or rows. Those that end with a link
   * are at least `share` of all its units.
   */
  contents: { entries: 4, share: 0.8, value: 1 },
} as const

/** Score of a sentence, item, row or block of code beside its share of the question. */
export const UNIT = {
  /** Share of the score of its neighbours: a sentence with the answer often shares no word with the question. */
  neighbours: 0.3,
  /** Share of the score of an introducing sentence that the list or code after it gets. */
  introduced: 0.9,
  /** Factor for the first units: they summarise the section. */
  lead: { units: 2, factor: 1.2 },
  /** Factor for a sentence that only links elsewhere. */
  pointer: 0.3,
  /** Factor for a sentence with a number, if the question asks for one. */
  number: 1.3,
} as const

/**
 * Choice of what to quote. Characters of an answer, of the best section alone, and of the best and the second section
 * together: with the heading and the marks, an answer stays within 1,200. Chosen like the values of `SECTION`.
 */
export const EXCERPT = {
  together: 1_130,
  alone: 960,
  first: 770,
  second: 360,
  /** The second section is one of this many after the best. */
  candidates: 2,
  /** Share of the question that the second section must add, and the share above which nothing is missing. */
  gain: 0.07,
  complete: 0.9,
  /** Weight of the added share relative to the section's value. */
  gainWeight: 3,
  /** A best section with fewer characters gets company of this relative value even if that adds no question term. */
  short: { length: 250, value: 0.6 },
  /** Added to the gain of the options of the thing that the best section describes: its page lists them in a subsection. */
  options: 0.3,
} as const

/** Minimum value of the best section about a named product or release, relative to the best of all. */
export const NAMED = { nearBest: 0.6 } as const

/** Answers of yes and no. */
export const YES_NO = {
  /** Characters of a sentence that decides. Longer ones say several things. */
  longest: 240,
  /** Terms of a sentence that decides, besides those of the question. A denial can be of another verb. */
  further: { yes: 3, no: 1 },
  /** Characters of an answer. */
  around: 450,
  /** Sections that may decide. */
  sections: 2,
} as const

/** Answers in parts. */
export const PARTS = {
  /** An excerpt covers a part if it has this share of the part's terms in the part's own best section. */
  covered: 0.85,
  /** The parts together have at least this share of the terms quoted for the whole question. */
  kept: 0.95,
  /** Value of a heading that is a side, and of the title or another heading above, beside the value of the section. */
  headed: 2,
  below: 1.5,
  /** A name on this share of the pages, such as that of the product, tells no part from another. */
  common: 0.25,
} as const

/** Terms of a question. */
export const TERM = {
  /** Added to the share of pages with a term, so that a word on no page does not outweigh all others together. */
  leastShare: 0.002,
  /** Letters of words that can be forms or compounds of each other, and the share with which both begin. */
  leastAlike: 5,
  alike: 0.7,
  /** In a question of more terms a name is one of many, and rarely the topic. */
  mostWithName: 6,
} as const

/** A sentence with this share of the question is the part of a release that it asks about. */
export const RELEASE = { aboutPart: 0.5 } as const
