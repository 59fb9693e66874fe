import type { BuiltInToolName } from '@docent/contract/values/tools'
import type { SourceType } from '@docent/contract/values/sources'
import { BUILT_IN_TOOLS } from '@docent/contract/values/tools'
import { chinese } from './vocabulary/chinese.ts'
import { english } from './vocabulary/english.ts'
import { french } from './vocabulary/french.ts'
import { german } from './vocabulary/german.ts'
import { italian } from './vocabulary/italian.ts'
import { japanese } from './vocabulary/japanese.ts'
import { portuguese } from './vocabulary/portuguese.ts'
import { spanish } from './vocabulary/spanish.ts'
import {
  CODE_LANGUAGES,
  CODE_LANGUAGES_WITH_NOUN,
  KINDS,
  LANGUAGES,
  NUMBERS,
  PARTS,
  PERIODS,
  TOOL_CALLS,
} from './vocabulary/subjects.ts'
import type { Tag } from './vocabulary/tags.ts'

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

const TAGGED = [english, german, french, spanish, portuguese, italian, chinese, japanese]
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
  const addAll = (table: Readonly<Record<string, string>>, meaningOf: (name: string) => Meaning) => {
    for (const [name, phrases] of Object.entries(table)) add(phrases, meaningOf(name))
  }
  const tags: readonly Tag[] = []
  for (const vocabulary of TAGGED) addAll(vocabulary, (tag) => ({ tags: [tag as Tag] }))
  addAll(KINDS, (kind) => ({ tags, kind: kind as Exclude<SourceType, 'website'> }))
  addAll(LANGUAGES, (language) => ({ tags, language }))
  addAll(CODE_LANGUAGES, (code) => ({ tags, code }))
  addAll(CODE_LANGUAGES_WITH_NOUN, (codeWithNoun) => ({ tags, codeWithNoun }))
  for (const { key, glob, names } of PARTS) add(names, { tags, part: { key, glob } })
  for (const { tool, names } of TOOL_CALLS) add(names, { tags, tool })
  for (const { name } of BUILT_IN_TOOLS) add(name, { tags, tool: name })
  for (const { days, names } of PERIODS) add(names, { tags, days })
  for (const [number, names] of NUMBERS.entries()) if (names) add(names, { tags, number })

  const dense = new Set<string>()
  let [mostWords, mostChars] = [1, 1]
  for (const phrase of meanings.keys()) {
    if (phrase.charCodeAt(0) > DENSE && !phrase.includes(' ')) {
      dense.add(phrase)
      mostChars = Math.max(mostChars, phrase.length)
    } else if (phrase.length > mostWords * 2) mostWords = Math.max(mostWords, phrase.split(' ').length)
  }
  return { find: (phrase) => meanings.get(phrase), mostWords, dense, mostChars }
}
