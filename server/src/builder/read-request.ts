import { type Token, wordsOf } from '#grammar/tokenise.ts'
import tools from './kinds.json' with { type: 'json' }
import phrases from './requests.json' with { type: 'json' }

/** A kind of tool that the designer can make. */
export type Kind = keyof typeof tools.kinds
type Sign = keyof typeof phrases.signs

/** A request for a tool, as read by the rule-based designer. */
export type Request = {
  kind: Kind
  /** Argument names of the things that the tool looks up, in the order of the request. */
  entities: string[]
  /** Proper names: products, projects, formats. */
  products: string[]
  /** Name that the request gives the tool, as `explain_rule(name)` or `explain_rule: …`. */
  givenName: string | null
  /** Alternatives that the request lists in brackets, as `(Selenium, Playwright or Protractor)`. */
  choices: string[]
  /** Languages of code that the request names, as in code fences. */
  languages: string[]
  wantsTable: boolean
  /** Changes since a day, or of the latest release, instead of between two versions. */
  changes: 'since' | 'latest' | null
  /** Words to find out if the sources know the subject. */
  topic: string
}

/** The lists that have a phrase beginning at a word, with the words of the longest. */
type FoundPhrases = ReadonlyMap<string, number>

/** Longest beginning of a word that is looked up. */
const MOST_STEM = 24

/** Creates a search in lists of phrases, separated by `|`. One that ends in `*` is the beginning of a phrase. */
function phraseFinder(lists: Readonly<Record<string, string>>) {
  const known = new Map<string, string[]>()
  for (const [name, phrases] of Object.entries(lists))
    for (const phrase of phrases.split('|')) known.set(phrase, [...(known.get(phrase) ?? []), name])
  const mostWords = Math.max(...[...known.keys()].map((phrase) => phrase.split(' ').length))
  return (words: readonly Token[], at: number): FoundPhrases => {
    const found = new Map<string, number>()
    let before = ''
    for (const [index, { key }] of words.slice(at, at + mostWords).entries()) {
      const stems = Array.from({ length: Math.min(key.length, MOST_STEM) }, (_, end) => `${key.slice(0, end + 1)}*`)
      for (const last of [...stems, key]) for (const name of known.get(before + last) ?? []) found.set(name, index + 1)
      before += `${key} `
    }
    return found
  }
}

const KINDS = Object.keys(tools.kinds) as Kind[]

const named = (prefix: string, lists: object) =>
  Object.fromEntries(Object.entries(lists).map(([name, list]) => [`${prefix} ${name}`, String(list)]))

/** Phrases in four languages. Signs of a kind are listed by weight: the highest sum wins, of equal ones the first. */
const findPhrases = phraseFinder({
  ...phrases.signs,
  ...named('noun', phrases.nouns),
  ...named('code', phrases.codeLanguages),
  ...Object.assign({}, ...KINDS.map((kind) => named(kind, tools.kinds[kind].signs))),
})
const GENERAL_WORDS: ReadonlySet<string> = new Set(phrases.general.split(' '))

type Read = { words: readonly Token[]; found: readonly FoundPhrases[] }

function read(text: string): Read {
  const words = wordsOf(text)
  return { words, found: words.map((_, at) => findPhrases(words, at)) }
}

export function readRequest(prompt: string): Request {
  const request = read(prompt)
  const { words, found } = request
  const shows = (sign: Sign) => found.some((lists) => lists.has(sign))
  const entities = entitiesOf(prompt, request)
  const nouns = entities.map((name) => name.replaceAll('_', ' '))
  const products = productsOf(prompt, words)
  const languages = found.flatMap((lists) =>
    [...lists.keys()].flatMap((list) => (list.startsWith('code ') ? list.slice('code '.length) : [])),
  )
  return {
    kind: kindOf(request),
    entities,
    products,
    givenName: givenNameOf(prompt),
    choices: choicesOf(prompt),
    languages: [...new Set(languages)],
    wantsTable: shows('table'),
    changes: shows('since') ? 'since' : shows('latest') ? 'latest' : null,
    topic: [...new Set([...products, ...nouns, ...contentWords(words)])].join(' '),
  }
}

/** The kind of tool that a request asks for. Without any sign: a tool that answers questions. */
function kindOf({ words, found }: Read): Kind {
  const scoreOf = (kind: Kind) =>
    Object.keys(tools.kinds[kind].signs).reduce((sum, weight) => {
      const said = found.flatMap((lists, at) => {
        const phrase = words.slice(at, at + (lists.get(`${kind} ${weight}`) ?? 0))
        return phrase.length === 0 ? [] : [phrase.map(({ key }) => key).join(' ')]
      })
      // Several words for the same count less than the first.
      return said.length === 0 ? sum : sum + Number(weight) * (0.8 + 0.2 * new Set(said).size)
    }, 0)
  const [best] = KINDS.map((kind) => ({ kind, score: scoreOf(kind) })).toSorted((one, other) => other.score - one.score)
  return best !== undefined && best.score > 0 ? best.kind : 'answer'
}

/** `explain_rule(name)` or `explain_rule: …` at the start. */
function givenNameOf(prompt: string): string | null {
  const [, name = ''] = /^\s?([a-z][a-z0-9_]{2,40}) ?[(:]/.exec(prompt) ?? []
  return name.includes('_') ? name.replaceAll(/__+/g, '_').replace(/(?<!_)_$/, '') : null
}

/** The inputs of the tool: "given the command and the flag", else the first noun for something to look up. */
function entitiesOf(prompt: string, { words, found }: Read): string[] {
  const at = found.findIndex((lists) => lists.has('given'))
  const from = words[at]?.start ?? prompt.length
  const [part = ''] = prompt.slice(from).split(/[.;:(]/)
  const explicit = nounsIn(read(part.slice(0, 120)))
  // "A class or a method" is one thing with two names.
  if (explicit.length > 1 && !/\band\b/.test(part) && / or /.test(part)) return []
  return explicit.length > 0 ? explicit : nounsIn({ words, found }).slice(0, 1)
}

/** Arguments for the nouns, each once. In "error code", "error" is not a separate noun. */
function nounsIn({ found }: Read): string[] {
  const nouns: string[] = []
  for (let at = 0; at < found.length;) {
    const lists = found[at] ?? new Map<string, number>()
    const [best] = [...lists].filter(([list]) => list.startsWith('noun ')).toSorted(([, one], [, other]) => other - one)
    // Phrases in which a noun is nothing to look up.
    const idiom = lists.get('idiom') ?? 0
    if (idiom === 0 && best) nouns.push(best[0].slice('noun '.length))
    at += Math.max(1, idiom, best?.[1] ?? 0)
  }
  return [...new Set(nouns)]
}

const NO_PRODUCT = new Set('I API APIs SQL YAML JSON SDK CLI URL HTTP REST ID FAQ MCP'.split(' '))

/** Capitalised words inside a sentence, and words with a capital inside. */
function productsOf(prompt: string, words: readonly Token[]): string[] {
  const names = words.flatMap(({ start, end }) => {
    const word = prompt.slice(start, end)
    const before = prompt.slice(0, start).trimEnd().at(-1) ?? '.'
    const isName = /\p{Ll}\p{Lu}|^\p{Lu}\p{Lu}/u.test(word) || (/^\p{Lu}/u.test(word) && !'.!?:“"('.includes(before))
    return isName && !NO_PRODUCT.has(word) && !word.includes('_') ? [word] : []
  })
  return [...new Set(names)].slice(0, 4)
}

/** The names of the first list in brackets that has an "or". */
function choicesOf(prompt: string): string[] {
  for (const part of prompt.split('(').slice(1)) {
    const [inside = ''] = part.split(')')
    if (!/ or | oder | ou | o /.test(inside)) continue
    const names = inside
      .split(/,| or | oder | ou | o /)
      .map((name) => name.trim())
      .filter(Boolean)
    const isList = names.length > 1 && names.every((name) => name.length <= 40 && name.split(' ').length <= 3)
    if (isList) return names.map((name) => name.replace(/^or /, ''))
  }
  return []
}

const MOST_WORDS = 24

function contentWords(words: readonly Token[]): string[] {
  return words
    .map(({ key }) => key)
    .filter((word) => word.length > 2 && !GENERAL_WORDS.has(word))
    .slice(0, MOST_WORDS)
}

/** Maximum words between a verb of making and its object. */
const OBJECT = 5
const MOST_CHARACTERS = 60

/** What the request asks for and no tool can do, as in "send an email …", or null. */
export function findAction(prompt: string): string | null {
  // The first sentence decides the kind of tool.
  const [first = ''] = prompt.split(/[.!?](?:\s|$)|\n/)
  for (const clause of first.split(/\band then\b|;/i)) {
    const { words, found } = read(clause)
    let verb = 0
    while (found[verb]?.has('lead')) verb += found[verb]?.get('lead') ?? 1
    const object = found.slice(verb + 1, verb + OBJECT)
    const makes = found[verb]?.has('make') && object.some((lists) => lists.has('made elsewhere'))
    if (makes || found[verb]?.has('action')) return shorten(clause.slice(words[verb]?.start ?? 0).trim())
  }
  return null
}

function shorten(text: string): string {
  const start = text.charAt(0).toLowerCase()
  if (text.length <= MOST_CHARACTERS) return start + text.slice(1)
  const cut = text.slice(0, MOST_CHARACTERS)
  return `${start}${cut.slice(1, cut.lastIndexOf(' '))} …`
}
