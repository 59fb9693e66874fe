/** Role of a phrase in the sentence of a rule. */
export type Tag =
  // What to do with the pages that the clause names.
  | 'up'
  | 'down'
  | 'first'
  | 'last'
  | 'slightly'
  | 'only'
  | 'exclude'
  /** A verb that only gets its meaning from `not`, `only` or `first`: show, use, return. */
  | 'use'
  | 'not'
  /** Words before the names that rank lower: over, rather than. */
  | 'flip'
  // Conditions.
  | 'when'
  | 'when_end'
  /** `unless`: a condition that no effect can have. */
  | 'unless'
  | 'about'
  | 'for'
  /** `questions`, which makes the words before it a condition: for installation questions. */
  | 'questions'
  | 'in'
  // The thing that is named.
  | 'recent'
  | 'old'
  | 'latest'
  | 'version'
  | 'past'
  | 'code'
  | 'it'
  | 'this_source'
  | 'folder'
  | 'generic'
  /** `sources`, `links`: a rule must not hide them. */
  | 'cited'
  | 'other'
  // Limits per source.
  | 'at_most'
  | 'results'
  | 'per_source'
  // Synonyms.
  | 'treat'
  | 'as'
  | 'same'
  | 'means'
  | 'also'
  // Requests that no rule can fulfil.
  | 'refuse'
  /** A verb that addresses the answering model if a clause begins with it: say, write, be. */
  | 'command'
  /** A word of form or safety that also occurs in names: style, password. */
  | 'manner'
  | 'answer'
  /** A unit of text length: at most 100 words. */
  | 'length'
  // Grammar.
  | 'and'
  | 'or'
  | 'but'
  | 'must'
  | 'is'
  | 'filler'

/** Phrases by role, separated by `|`. Lower case, without accents. */
export type Phrases = Partial<Record<Tag, string>>
