import { ENTITY_NOUNS, lengthAt, occurring, phrases, type Word, wordsOf } from './words.ts'
import { type Kind, kindOf } from './kinds.ts'

/** Words of a request that say nothing about its subject. */
const GENERAL_WORDS: ReadonlySet<string> = new Set(
  `a an the this that these those it its their i we you they he she me my our your somebody someone anyone user users
  people team person and or but not no nor of in on at to for from with without by as into about between than then so if
  when where which what who how why is are was be been being do does did done can could should would will may might must
  has have had there here give gives given return returns show shows shown tell tells get gets make makes made create
  creates build builds want wants need needs look looks up find finds list lists explain explains answer answers help
  helps use uses used using tool tools helper assistant name names named page pages doc docs documentation source sources
  each one two three few several all any only also such like likely other another more most less same different way ways
  thing things example examples table text link links linked please decide whatever include including without prose agent
  agents copy input output value values first second order whole main good new old available possible via per both either
  neither much many side exactly sentence sentences short brief minutes read reader points question questions change
  changes changed compare compares comparison checklist glossary summary summarise summarize schema
  ein eine einen der die das und oder mit für von zum zur den dem wie was ist sind werkzeug begriff beispiel erklärt
  un une le la les des du de et ou pour avec qui que est sont outil montre donnée donné exemples code tâche
  una el los las y con para por que es son muestra sus dos herramienta diferencias fuentes compara`.split(/\s+/),
)

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
  /** Languages of code that the request names. */
  languages: string[]
  /** Words that say which pages may be used: of "only from the Helm chart". */
  onlyFrom: string | null
  wantsTable: boolean
  wantsSince: boolean
  /** Words to find out if the sources know the subject. */
  topic: string
}

/** Names of languages in requests, and their keys in code fences. */
const LANGUAGES = new Map(
  'typescript ts,javascript js,python py,sql sql,yaml yaml,json json,bash sh,shell sh,go go,golang go,rust rs,java java,kotlin kotlin,c# cs,ruby rb,php php,swift swift,html html,css css,toml toml,terraform hcl,graphql graphql,dockerfile dockerfile,tcl tcl,lua lua,scala scala,elixir elixir,powershell powershell,xml xml'
    .split(',')
    .map((each) => each.split(' '))
    .map(([name = '', key = '']) => [name, key]),
)

const TABLES = phrases('as a table|in a table|a table with|tabelle|tableau|side by side')
const SINCE = phrases(
  'since a date|since a day|since a given|since the given|since some date|seit einem tag|seit einem datum|depuis une date',
)

export function readPrompt(prompt: string): Request {
  const words = wordsOf(prompt)
  const entities = entitiesOf(prompt, words)
  const products = productsOf(prompt, words)
  return {
    kind: kindOf(words),
    entities,
    products,
    givenName: givenNameOf(prompt),
    choices: choicesOf(prompt),
    languages: [...new Set(words.flatMap(({ text }) => LANGUAGES.get(text) ?? []))],
    onlyFrom: onlyFromOf(prompt),
    wantsTable: occurring(words, TABLES).size > 0,
    wantsSince: occurring(words, SINCE).size > 0,
    topic: [
      ...new Set([...products, ...entities.map((name) => name.replaceAll('_', ' ')), ...contentWords(words)]),
    ].join(' '),
  }
}

/** `explain_rule(name)` or `explain_rule: …` at the start. */
function givenNameOf(prompt: string): string | null {
  const [, name = ''] = /^\s?([a-z][a-z0-9_]{2,40}) ?[(:]/.exec(prompt) ?? []
  return name.includes('_') ? name.replaceAll(/__+/g, '_').replace(/(?<!_)_$/, '') : null
}

const GIVEN = phrases('given|takes|take|input is|i give|i give it|i name|i paste|i enter')

/** The inputs of the tool: "given the command and the flag", else the first noun for something to look up. */
function entitiesOf(prompt: string, words: readonly Word[]): string[] {
  const at = words.findIndex((_, index) => lengthAt(words, index, GIVEN) > 0)
  const from = words[at]?.start ?? prompt.length
  const [part = ''] = prompt.slice(from).split(/[.;:(]/)
  const explicit = at < 0 ? [] : nounsIn(wordsOf(part.slice(0, 120)))
  // "A class or a method" is one thing with two names.
  if (explicit.length > 1 && !/\band\b/.test(part) && / or /.test(part)) return []
  return explicit.length > 0 ? explicit : nounsIn(words).slice(0, 1)
}

/** Phrases in which a noun is nothing to look up. */
const IDIOMS = phrases(
  'step by step|in order|as a table|the type|its type|type and|which rule|which command|which option|key points|command line|command-line|lint rule',
)

/** Arguments for the nouns, each once. In "error code", "error" is not a separate noun. */
function nounsIn(words: readonly Word[]): string[] {
  const found: string[] = []
  for (let at = 0; at < words.length;) {
    const lengths = ENTITY_NOUNS.map(([nouns, argument]) => ({ argument, length: lengthAt(words, at, nouns) }))
    const [best] = lengths.toSorted((one, other) => other.length - one.length)
    const idiom = lengthAt(words, at, IDIOMS)
    if (idiom === 0 && best !== undefined && best.length > 0) found.push(best.argument)
    at += Math.max(1, idiom, best?.length ?? 0)
  }
  return [...new Set(found)]
}

/** Capitalised words inside a sentence, and words with a capital inside. */
function productsOf(prompt: string, words: readonly Word[]): string[] {
  const names = words.flatMap(({ start, end }) => {
    const word = prompt.slice(start, end)
    const before = prompt.slice(0, start).trimEnd().at(-1) ?? '.'
    const isName = /\p{Ll}\p{Lu}|^\p{Lu}\p{Lu}/u.test(word) || (/^\p{Lu}/u.test(word) && !'.!?:“"('.includes(before))
    return isName && !NO_PRODUCT.has(word) && !word.includes('_') ? [word] : []
  })
  return [...new Set(names)].slice(0, 4)
}

const NO_PRODUCT = new Set('I API APIs SQL YAML JSON SDK CLI URL HTTP REST ID FAQ MCP'.split(' '))

/** The names of the first list in brackets that has an "or". */
function choicesOf(prompt: string): string[] {
  for (const part of prompt.split('(').slice(1)) {
    const [inside = ''] = part.split(')')
    const names = inside
      .split(/,| or | oder | ou | o /)
      .map((name) => name.trim())
      .filter(Boolean)
    const isList = names.length > 1 && names.every((name) => name.length <= 40 && name.split(' ').length <= 3)
    if (isList && / or | oder | ou | o /.test(inside)) return names.map((name) => name.replace(/^or /, ''))
  }
  return []
}

const ONLY = phrases('only from|only use|only in|only using|only with|nur aus|uniquement de|solo de')
const OF_PAGES = phrases('the|of|about|from|pages|page|documentation|docs')

function onlyFromOf(prompt: string): string | null {
  for (const part of prompt.split(/[,.;:!?]/)) {
    const words = wordsOf(part)
    const at = words.findIndex((_, index) => lengthAt(words, index, ONLY) > 0)
    if (at < 0) continue
    const rest = words.slice(at + 2)
    const first = rest.find((_, index) => lengthAt(rest, index, OF_PAGES) === 0)
    if (first) return part.slice(first.start).trim().slice(0, 60)
  }
  return null
}

const MOST_WORDS = 24

function contentWords(words: readonly Word[]): string[] {
  return words
    .map(({ text }) => text)
    .filter((word) => word.length > 2 && !GENERAL_WORDS.has(word))
    .slice(0, MOST_WORDS)
}
