import { isDescription, isGlossary, isOrdinaryValue } from '#search/catalogue/page-kind.ts'
import { readEntries } from '#documents/model/entries/read-entries.ts'
import { isSameName, nameKeys } from '#documents/model/name-key.ts'
import { tableOf, type Piece, piecesOf, sentencesOf } from '#documents/model/read-block.ts'
import type { Passage } from '#search/passage.ts'
import { type AskedTerms, coveredTerms, questionTerms, shareOf } from './asked-terms.ts'
import { SECTION, UNIT } from './weights.ts'
import { removeSpans, replaceLinks } from '#lib/text/replace-links.ts'
import type { Block, Span } from '#documents/model/document.ts'

/** A unit of a section. */
export type ScoredUnit = Unit & {
  passage: Passage
  text: string
  /** Index among all units of the passage. */
  index: number
  /** Question terms in the unit. */
  covers: ReadonlySet<string>
  /** Share of the question in the unit and its neighbours. */
  score: number
}

/** A passage as a possible source of the answer. A passage belongs to one section. */
export type Section = {
  passage: Passage
  units: ScoredUnit[]
  /** Question terms of the name that the innermost heading consists of, if it is in the question. */
  topic: ReadonlySet<string>
  /** Question terms in the page title and the headings. */
  above: ReadonlySet<string>
  /** Question terms in the section, its headings and the page title. */
  covers: ReadonlySet<string>
  /** The units are one entry of a list or table, which is the whole answer. */
  isEntry: boolean
  /** Fitness as the source of the answer. Comparable within one question. */
  value: number
}

/** Shares are sums of fractions. */
const ALL = 0.999

/** Number of a section: `2.1. `. */
const NUMBERING = /^\(?\d[\d.]{0,20}\)?\s/

const ASCII = /^[\0-\x7f]*$/
/** Characters of a sentence that can be a repetition. */
const REPEATED = 12

/** Splits passages into units, and rates each passage as the source of the answer. Best first. */
export function rateSections(passages: readonly Passage[], asked: AskedTerms, names: ReadonlySet<string>): Section[] {
  const best = Math.max(...passages.map(({ score }) => score), Number.MIN_VALUE)
  return passages
    .map((passage) => {
      // The whole section is about the thing named by its heading, even if that has the name in parts.
      const headed = coveredTerms(topicsOf(passage, names, asked).join(' '), asked)
      const above = coveredTerms(`${passage.title} ${passage.heading}`, asked).union(headed)
      const all = scoreUnits(passage, asked, headed)
      const entry = entryNamed(passage, all, { above, asked })
      const units = entry ?? all
      // An entry is a section with its name as the heading.
      const topic = entry ? new Set(asked.weights.keys()) : headed
      const covers = coverOf(units, above)
      const value =
        passage.score / best +
        SECTION.text * shareOf(covers, asked) +
        SECTION.headings * shareOf(above, asked) +
        SECTION.sentence * Math.max(0, ...units.map((unit) => shareOf(unit.covers, asked))) +
        SECTION.name * shareOf(topic, asked) +
        (topic.size > 0 && isGlossary(passage.title) ? SECTION.glossary : 0)
      return { passage, units, topic, above, covers, isEntry: entry !== null, value }
    })
    .filter(({ units }) => units.length > 0)
    .sort((a, b) => b.value - a.value)
}

function coverOf(units: readonly ScoredUnit[], above: ReadonlySet<string>): Set<string> {
  return new Set([...above, ...units.flatMap(({ covers }) => [...covers])])
}

function scoreUnits(passage: Passage, asked: AskedTerms, topic: ReadonlySet<string>): ScoredUnit[] {
  const units = statementsOf(passage).map((unit) => {
    const covers = coveredTerms(unit.text, asked).union(topic)
    return { ...unit, passage, covers, own: shareOf(covers, asked) }
  })
  return units.map(({ own, ...unit }, at) => {
    const near = (units[at - 1]?.own ?? 0) + (units[at + 1]?.own ?? 0)
    const factor = at < UNIT.lead.units ? UNIT.lead.factor : 1
    return { ...unit, score: (own + UNIT.neighbours * near) * factor }
  })
}

/** The units of a passage without repetitions: many pages repeat their heading, or the text of tabs and cards. */
function statementsOf({ passage, blocks, title, headings: path }: Passage): (Unit & { text: string; index: number })[] {
  const units = unitsOf(passage, blocks).map((unit, index) => ({
    ...unit,
    text: passage.slice(unit.start, unit.end),
    index,
  }))
  const headings = new Set([title, path.at(-1)])
  let said = ''
  const news = units.filter(({ kind, text }) => {
    if (kind === 'code' || kind === 'table') return true
    const letters = text.toLowerCase().replaceAll(ASCII.test(text) ? /[^a-z\d]+/g : /[^\p{L}\p{N}]+/gu, '')
    // A repetition can have other line breaks and marks, such as the rows of a table in one line.
    if (headings.has(text) || (letters.length >= REPEATED && said.includes(letters))) return false
    said += ` ${letters}`
    return true
  })
  return news.length > 0 ? news : units
}

/** The names that the innermost heading of a passage consists of: alone, or as a member of the page title. */
function topicsOf({ title, headings }: Passage, names: ReadonlySet<string>, asked: AskedTerms): string[] {
  if (names.size === 0) return []
  const own = headings.at(-1) ?? ''
  // `What is a blueprint?` does not ask about `property blueprint`.
  if (isOrdinaryValue(own)) return []
  const last = isDescription(own) ? title : own
  // `Multi-version concurrency control (MVCC)`
  const short = /\(([\w.-]{2,20})\)$/.exec(last)?.[1]
  const keys = [...nameKeys(last), ...(short === undefined ? [] : nameKeys(short))]
  const [owner] = nameKeys(title)
  const isMember = (name: string, key: string) =>
    owner !== undefined && name.endsWith(`.${key}`) && isSameName(owner, name.slice(0, -key.length - 1))
  // `6.2.8. Generator expressions` is about a generator expression.
  const termsIn = (text: string) => questionTerms(text, asked.language, asked.analyse)
  const stems = new Set(termsIn((last || title).replace(NUMBERING, '')))
  const isSame = (name: string) => {
    const own = termsIn(name)
    return own.length === stems.size && own.every((term) => stems.has(term))
  }
  // `git log` has the manual page `git-log`.
  const isKey = (name: string) => keys.some((key) => key === name || isMember(name, key))
  return [...names].filter((name) => isKey(name) || isKey(name.replaceAll(' ', '-')) || isSame(name))
}

export function beginsSection({ blocks }: Passage): boolean {
  return blocks[0]?.kind === 'heading'
}

/** Fewer entries are no list of definitions. A part of a section answers as well as the section then. */
const LEAST_ENTRIES = 2
/** A longer first cell is prose. */
const LONGEST_CELL = 120

type Question = { above: ReadonlySet<string>; asked: AskedTerms }

/** The entry of a list of definitions whose name has all terms of the question that the headings above do not have. */
function entryNamed(passage: Passage, units: readonly ScoredUnit[], question: Question): ScoredUnit[] | null {
  const { title, passage: markdown, blocks } = passage
  // Most sections lack a word of the question, and so do the names in them.
  if (shareOf(coverOf(units, question.above), question.asked) < ALL) return null
  const rows = blocks.filter(({ kind }) => kind === 'table').flatMap((table) => tableOf(markdown, table).rows)
  const named = rows.flatMap(({ start, end, cells }) => {
    const name = cells.find((cell) => cell.start < cell.end)
    return name && name.end - name.start <= LONGEST_CELL ? { start, end, name } : []
  })
  const others = blocks.filter(({ kind }) => kind !== 'table' && kind !== 'heading')
  const entries = [...named, ...readEntries({ title, markdown, blocks: others })]
  if (entries.length < LEAST_ENTRIES) return null
  const entry = entries.find(({ name }) => isAsked(markdown.slice(name.start, name.end), question))
  const own = units.filter(({ start, end }) => entry && start < entry.end && end > entry.start)
  return own.length > 0 ? own : null
}

function isAsked(label: string, { above, asked }: Question): boolean {
  // `Hypertext Transfer Protocol (HTTP)`, `arena, memory pool`.
  return [label, ...label.split(/[(),/]/)].some((name) => {
    if (shareOf(coveredTerms(name, asked).union(above), asked) < ALL) return false
    const terms = questionTerms(name, asked.language, asked.analyse)
    return terms.length > 0 && terms.every((term) => asked.weights.has(term))
  })
}

/** A quotable piece of a passage, verbatim: `passage.slice(start, end)`. */
type Unit = Span & {
  kind: 'sentence' | 'item' | 'code' | 'table'
  /** Units of one paragraph, list or table share a group. */
  group: number
}

/** List items and tables of up to this many characters stay whole. */
const WHOLE = 500

/** Dots between an entry and its page number in the contents or index of a book. */
const LEADERS = /(?:\.\s?){6}/

/** Letters of a sentence such as `Please see … and …`. */
const POINTER = 25

/** Splits a passage into sentences, list items, whole code blocks and tables, in order. Omits headings and contents. */
export function unitsOf(markdown: string, blocks: readonly Block[]): Unit[] {
  return piecesOf(markdown, blocks).flatMap((block) => {
    const text = markdown.slice(block.start, block.end)
    if (block.kind !== 'code' && LEADERS.test(text)) return []
    const kind = block.kind === 'paragraph' ? 'sentence' : block.kind
    return partsOf(block.kind, text)
      .filter(({ start, end }) => saysSomething(text.slice(start, end)))
      .map(({ start, end }) => ({ kind, start: block.start + start, end: block.start + end, group: block.group }))
  })
}

/** False if no words remain after removing images and tags. */
function saysSomething(text: string): boolean {
  const words = text.includes('](') ? replaceLinks(text, ({ isPicture }) => (isPicture ? '' : null)) : text
  const plain = words.includes('<') ? removeSpans(words, { opening: /<\/?[a-z]/gi, closing: '>' }) : words
  return /[\p{L}\p{N}]{2}/u.test(plain)
}

/** True if little remains without the links: the text only points elsewhere. */
export function isPointer(text: string): boolean {
  if (!text.includes('](')) return false
  return replaceLinks(text, () => '').replaceAll(/[^\p{L}\p{N}]+/gu, '').length < POINTER
}

/** True for a line of an operation's page that helps to find the operation, and not to use it. */
export function isFact(text: string): boolean {
  return /^Operation: `[^`]*`\.$|^Tags: .*\.$/.test(text)
}

function partsOf(kind: Piece['kind'], text: string): Span[] {
  const whole = { start: 0, end: text.length }
  if (kind === 'code' || (kind !== 'paragraph' && text.length <= WHOLE)) return [whole]
  return kind === 'table' ? rowsOf(text) : sentencesOf(text).flatMap((span) => linesOf(text, span))
}

/** Splits a long sentence at its line ends: it is a list without markup. */
function linesOf(text: string, span: Span): Span[] {
  if (span.end - span.start <= WHOLE) return [span]
  const lines = text.slice(span.start, span.end).matchAll(/\S.*/g)
  return [...lines].map(({ index, 0: line }) => ({
    start: span.start + index,
    end: span.start + index + line.trimEnd().length,
  }))
}

/** Rows with content, without the header, which says nothing alone. */
function rowsOf(table: string): Span[] {
  const rows = [...table.matchAll(/^.*[^\s|:-].*/gm)]
  return rows.slice(1).map(({ index, 0: row }) => ({ start: index, end: index + row.length }))
}
