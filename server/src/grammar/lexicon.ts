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
import requests from './phrases/requests.json' with { type: 'json' }
import spanish from './phrases/spanish.json' with { type: 'json' }

/**
 * Phrases by role, separated by `|`: lower case, without accents unless they tell words apart. One that ends in `*` is the beginning of a word. ` ~ `
 * stands for the words between a verb and its particle. A language need not have all roles.
 */
const VOCABULARIES = {
  en: english,
  de: german,
  fr: french,
  es: spanish,
  pt: portuguese,
  it: italian,
  zh: chinese,
  ja: japanese,
}
/** Languages that only their words tell apart. The first one wins if a sentence can be of several. */
const LATIN = ['en', 'de', 'fr', 'es', 'pt', 'it'] as const

/**
 * Role of a phrase in a sentence. A phrase can have several; its context decides. The less obvious ones:
 * - `use`: a verb that only gets its meaning from `not`, `only` or `first`: show, return.
 * - `prefers`, `to`: prefer the docs to the blog. `flip`: words before the names that rank lower: over, rather than.
 *   `flip_after`: words after them. `joins`: an `and` between names only: 和.
 * - `reserve`: the same as `only` before a condition. `then`: the next one of an order. `in_order`: what follows is one.
 * - `keep`: a verb that leaves as it is what an effect before could mean too. `position`: where in a question a word is.
 * - `concord`: a negation that repeats another one: ne … jamais.
 * - `unless`, `otherwise`: a condition that excludes questions.
 * - `when_asked` begins a condition with a topic. `when_end` ends one. `questions` makes the words before it a
 *   condition: for installation questions. `ask`, `person`: words of a condition about the question.
 * - `audience`: people whom no question tells: for beginners. `noise`: words that add nothing to a topic.
 * - `describes`: adjectives that do not change which source is meant: official.
 * - `cited`: sources, links. A rule must not hide them.
 * - `refuse`: a request that no rule can fulfil. `command`: the same, if a clause begins with it: say, write.
 * - `override` with `directive`, `disclose` with `secret`, and `hostile` alone: attempts to instruct the service.
 * - `manner`: a word of form or safety that also occurs in names. `length`: a unit of text: at most 100 words.
 * - `reason`, `declares`: beginnings of a reason, the second only after a comma. `reason_end`: its end.
 * - `filler`: words without content. `polite`: the same, also as a whole clause.
 */
export type Tag = keyof typeof english | 'flip_after' | 'joins' | 'reason_end' | 'when_end' | 'possessive' | RequestTag

export type Task = keyof typeof requests.tasks
export type Thing = keyof typeof requests.things
export type Part = keyof typeof requests.parts

/** Roles in a request for a tool. `one` and `many`: a thing in the singular and the plural. */
export type RequestTag =
  | keyof typeof requests.roles
  | `task ${Task}`
  | `part ${Part}`
  | `one ${Thing}`
  | `many ${Thing}`

/** The meaning of a phrase in any language of the vocabulary. */
export type Meaning = {
  tags: readonly Tag[]
  kind?: Exclude<SourceType, 'website'>
  /** A part of a site or repository. `key` also names sources. */
  part?: { key: string; glob: string; isDocument: boolean }
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
  /** Only the beginning of the word is known. */
  isBegun?: true
}

/** A verb and its particle: `werte … ab`, at the end of the clause, or `ne … que`, anywhere in it. */
export type Gap = { particle: string; isAnywhere: boolean; meaning: Meaning }

type Language = keyof typeof VOCABULARIES
type Phrases = Readonly<Partial<Record<Tag, string>>>

/** The phrases of one language, and the names of things in all of them. */
export type Lexicon = {
  /** ISO 639-1 code. */
  language: Language
  find: (phrase: string) => Meaning | undefined
  /** The noun that a compound ends with, by the length of the rest: 7 for `webhookfragen`. Null if it has none. */
  split: (word: string) => number | null
  /** Verbs with a particle, by the verb. */
  gaps: ReadonlyMap<string, readonly Gap[]>
  mostWords: number
  /** Phrases of scripts without spaces, and the characters of the longest. */
  dense: ReadonlySet<string>
  mostChars: number
}

/** The lexicon of the language in which a sentence is written, by its words. */
export type Lexicons = { of: (words: readonly string[], text: string) => Lexicon }

/** Scripts without spaces begin here, after the punctuation of the Latin ones. */
const DENSE = 0x2fff
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u
const HAN = /\p{Script=Han}/u
/** Letters of the shortest beginning of a word, and of the shortest word before the noun of a compound. */
const LEAST_BEGINNING = 3
/** Roles that a verb has besides another one. */
const BESIDES: ReadonlySet<Tag> = new Set(['prefers', 'override', 'disclose'])
/** Letters after the beginning of a word. */
const MOST_ENDING = 7

/** Builds the lexicons of rules from the vocabularies, each when it is needed first. */
export function createLexicon(): Lexicons {
  return lexiconsOf((language) => VOCABULARIES[language], namesOf())
}

/** Builds the lexicons of requests for tools. */
export function createRequestLexicon(): Lexicons {
  const phrasesOf = (language: Language) =>
    Object.fromEntries([
      ...Object.entries(requests.roles).map(([role, phrases]) => [role, (phrases as ByLanguage)[language] ?? '']),
      ...Object.entries(requests.tasks).map(([task, phrases]) => [
        `task ${task}`,
        (phrases as ByLanguage)[language] ?? '',
      ]),
    ]) as Phrases
  return lexiconsOf(phrasesOf, thingsOf())
}

type ByLanguage = Partial<Record<Language, string>>

function lexiconsOf(phrasesOf: (language: Language) => Phrases, base: Meanings): Lexicons {
  const made = new Map<string, Lexicon>()
  const lexiconOf = (language: Language) => {
    const known = made.get(language) ?? build(language, phrasesOf(language), base)
    made.set(language, known)
    return known
  }
  return {
    of(words, text) {
      if (KANA.test(text)) return lexiconOf('ja')
      if (HAN.test(text)) return lexiconOf('zh')
      const scored = LATIN.map((language) => {
        const { find } = lexiconOf(language)
        // A whole word says more than its beginning, and an article most: `o blog`.
        const score = words.reduce((sum, word) => {
          const meaning = find(word)
          if (meaning === undefined || meaning.tags.length === 0) return sum
          return sum + (meaning.isBegun ? 1 : meaning.tags.includes('article') ? 3 : 2)
        }, 0)
        return { language, score }
      })
      return lexiconOf(scored.reduce((one, other) => (other.score > one.score ? other : one)).language)
    },
  }
}

type Meanings = Map<string, Meaning>

function addPhrases(to: Meanings, phrases: string, meaning: Meaning): void {
  for (const phrase of phrases.split('|')) addPhrase(to, phrase, meaning)
}

function addPhrase(to: Meanings, phrase: string, meaning: Meaning): void {
  const known = to.get(phrase)
  // Most phrases have one meaning, which all phrases of a row share.
  if (known === undefined) to.set(phrase, meaning)
  else if (known !== meaning)
    to.set(phrase, { ...known, ...meaning, tags: [...new Set([...known.tags, ...meaning.tags])] })
}

/** Kinds, parts, languages, tools, numbers and periods. */
function namesOf(): Meanings {
  const meanings: Meanings = new Map()
  const tags: readonly Tag[] = []
  const addAll = <N extends string>(table: Readonly<Record<N, string>>, meaningOf: (name: N) => Partial<Meaning>) => {
    for (const name of Object.keys(table) as N[]) addPhrases(meanings, table[name], { tags, ...meaningOf(name) })
  }
  addAll(names.kinds, (kind) => ({ kind }))
  addAll(names.languages, (language) => ({ language }))
  addAll(names.codeLanguages, (code) => ({ code }))
  addAll(names.codeLanguagesWithNoun, (codeWithNoun) => ({ codeWithNoun }))
  for (const [key, part] of Object.entries(names.parts))
    addPhrases(meanings, part.names, { tags, part: { key, glob: part.glob, isDocument: 'isDocument' in part } })
  addAll(names.tools, (tool) => ({ tool }))
  for (const { name } of BUILT_IN_TOOLS) addPhrases(meanings, name, { tags, tool: name })
  addAll(names.daysOfPeriods, (days) => ({ days: Number(days) }))
  addAll(names.numbers, (number) => ({ number: Number(number) }))
  return meanings
}

/** Things, parts, languages of code and numbers of requests. */
function thingsOf(): Meanings {
  const meanings: Meanings = new Map()
  const add = (phrases: string, meaning: Meaning) => addPhrases(meanings, phrases, meaning)
  for (const [thing, { one, many }] of Object.entries(requests.things) as [Thing, { one: string; many: string }][]) {
    add(one, { tags: [`one ${thing}`] })
    add(many, { tags: [`many ${thing}`] })
  }
  for (const [part, phrases] of Object.entries(requests.parts)) add(phrases, { tags: [`part ${part as Part}`] })
  for (const [code, phrases] of Object.entries(names.codeLanguages)) add(phrases, { tags: [], code })
  for (const [codeWithNoun, phrases] of Object.entries(names.codeLanguagesWithNoun))
    add(phrases, { tags: [], codeWithNoun })
  for (const [number, phrases] of Object.entries(names.numbers))
    if (number !== '1') add(phrases, { tags: [], number: Number(number) })
  return meanings
}

function build(language: Language, table: Phrases, base: Meanings): Lexicon {
  const meanings: Meanings = new Map()
  const beginnings: Meanings = new Map()
  const gaps = new Map<string, Gap[]>()
  for (const [tag, phrases] of Object.entries(table) as [Tag, string][]) {
    const meaning: Meaning = { tags: [tag] }
    const begun: Meaning = { tags: [tag], isBegun: true }
    for (const phrase of phrases.split('|')) {
      const [verb = '', particle] = phrase.split(' ~ ')
      const gap = (name: string) => ({ particle: name.replace(/ ~$/, ''), isAnywhere: name.endsWith(' ~'), meaning })
      if (particle !== undefined) gaps.set(verb, [...(gaps.get(verb) ?? []), gap(particle)])
      else if (phrase.endsWith('*')) addPhrase(beginnings, phrase.slice(0, -1), begun)
      else addPhrase(meanings, phrase, meaning)
    }
  }
  for (const [phrase, meaning] of meanings) {
    const name = base.get(phrase)
    if (name !== undefined) meanings.set(phrase, { ...name, ...meaning, tags: [...name.tags, ...meaning.tags] })
  }
  const begun = (phrase: string): Meaning | undefined => {
    const least = Math.max(LEAST_BEGINNING, phrase.length - MOST_ENDING, phrase.lastIndexOf(' ') + 1)
    for (let end = phrase.length; end >= least; end--) {
      const meaning = beginnings.get(phrase.slice(0, end))
      if (meaning !== undefined) return meaning
    }
    return undefined
  }
  for (const [phrase, meaning] of meanings) {
    // `prefer` takes `to`, and is a verb like the other words that begin so.
    const whole = begun(phrase)?.tags ?? []
    const isBeside = meaning.tags.every((tag) => BESIDES.has(tag))
    const more = whole.filter((tag) => isBeside || BESIDES.has(tag))
    if (more.length > 0) meanings.set(phrase, { ...meaning, tags: [...new Set([...more, ...meaning.tags])] })
  }
  const find = (phrase: string): Meaning | undefined => {
    const whole = meanings.get(phrase) ?? base.get(phrase)
    if (whole !== undefined) return whole
    return begun(phrase)
  }
  const heads = names.compoundHeads.split('|')
  const phrases = [...meanings.keys(), ...base.keys()]
  const dense = phrases.filter((phrase) => phrase.charCodeAt(0) > DENSE && !phrase.includes(' '))
  return {
    language,
    find,
    gaps,
    split(word) {
      const head = heads.find((each) => word.endsWith(each) && word.length >= each.length + LEAST_BEGINNING)
      return head === undefined ? null : word.length - head.length
    },
    mostWords: Math.max(...phrases.map((phrase) => phrase.split(' ').length)),
    dense: new Set(dense),
    mostChars: Math.max(...dense.map(({ length }) => length)),
  }
}
