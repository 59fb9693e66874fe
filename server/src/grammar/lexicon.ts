import type { SourceType } from '@docent/contract/values/sources'
import { BUILT_IN_TOOLS, type BuiltInToolName } from '@docent/contract/values/tools'
import chinese from './phrases/chinese.json' with { type: 'json' }
import english from './phrases/english.json' with { type: 'json' }
import french from './phrases/french.json' with { type: 'json' }
import german from './phrases/german.json' with { type: 'json' }
import italian from './phrases/italian.json' with { type: 'json' }
import japanese from './phrases/japanese.json' with { type: 'json' }
import names from './phrases/names.json' with { type: 'json' }
import portuguese from './phrases/portuguese.json' with { type: 'json' }
import spanish from './phrases/spanish.json' with { type: 'json' }

/** Phrases by role, separated by `|`: lower case, without accents. A language need not have all roles. */
const VOCABULARIES = [english, german, french, spanish, portuguese, italian, chinese, japanese]

/**
 * Role of a phrase in a sentence. The less obvious ones:
 * - `use`: a verb that only gets its meaning from `not`, `only` or `first`: show, return.
 * - `flip`: words before the names that rank lower: over, rather than.
 * - `unless`: a condition that no effect can have.
 * - `questions` makes the words before it a condition: for installation questions.
 * - `cited`: sources, links. A rule must not hide them.
 * - `refuse`: a request that no rule can fulfil. `command`: the same, if a clause begins with it: say, write.
 * - `manner`: a word of form or safety that also occurs in names. `length`: a unit of text: at most 100 words.
 */
export type Tag = keyof (typeof english & typeof japanese)

/** The meaning of a phrase in any language of the vocabulary. */
export type Meaning = {
  tags: readonly Tag[]
  kind?: Exclude<SourceType, 'website'>
  /** A part of a site or repository. `key` also names sources. */
  part?: { key: string; glob: string }
  tool?: BuiltInToolName
  /** Natural language, by ISO 639-1 code. */
  language?: string
  /** Programming language. */
  code?: string
  /** Programming language, if a noun such as `examples` follows. */
  codeWithNoun?: string
  number?: number
  /** Days of a unit of time. */
  days?: number
}

export type Lexicon = {
  find: (phrase: string) => Meaning | undefined
  /** Words of the longest phrase. */
  mostWords: number
  /** Phrases of scripts without spaces, and the characters of the longest. */
  dense: ReadonlySet<string>
  mostChars: number
}

/** Scripts without spaces begin here, after the punctuation of the Latin ones. */
const DENSE = 0x2fff

/** Builds the lexicon from the vocabularies. A phrase can have several meanings; its context decides. */
export function createLexicon(): Lexicon {
  const meanings = new Map<string, Meaning>()
  const add = (phrases: string, meaning: Meaning) => {
    for (const phrase of phrases.split('|')) {
      const known = meanings.get(phrase)
      // Most phrases have one meaning, which all phrases of a row share.
      if (known === undefined) meanings.set(phrase, meaning)
      else if (known !== meaning)
        meanings.set(phrase, { ...known, ...meaning, tags: [...new Set([...known.tags, ...meaning.tags])] })
    }
  }
  const tags: readonly Tag[] = []
  const addAll = <N extends string>(table: Readonly<Record<N, string>>, meaningOf: (name: N) => Partial<Meaning>) => {
    for (const name of Object.keys(table) as N[]) add(table[name], { tags, ...meaningOf(name) })
  }
  for (const vocabulary of VOCABULARIES) addAll<Tag>(vocabulary as Record<Tag, string>, (tag) => ({ tags: [tag] }))
  addAll(names.kinds, (kind) => ({ kind }))
  addAll(names.languages, (language) => ({ language }))
  addAll(names.codeLanguages, (code) => ({ code }))
  addAll(names.codeLanguagesWithNoun, (codeWithNoun) => ({ codeWithNoun }))
  for (const [key, part] of Object.entries(names.parts)) add(part.names, { tags, part: { key, glob: part.glob } })
  addAll(names.tools, (tool) => ({ tool }))
  for (const { name } of BUILT_IN_TOOLS) add(name, { tags, tool: name })
  addAll(names.daysOfPeriods, (days) => ({ days: Number(days) }))
  addAll(names.numbers, (number) => ({ number: Number(number) }))

  const phrases = [...meanings.keys()]
  const dense = phrases.filter((phrase) => phrase.charCodeAt(0) > DENSE && !phrase.includes(' '))
  return {
    find: (phrase) => meanings.get(phrase),
    mostWords: Math.max(...phrases.map((phrase) => phrase.split(' ').length)),
    dense: new Set(dense),
    mostChars: Math.max(...dense.map(({ length }) => length)),
  }
}
