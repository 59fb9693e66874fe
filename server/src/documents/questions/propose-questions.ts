import { elementAt } from '#lib/arrays.ts'
import { addressPath } from '#lib/addresses/page-address.ts'
import { createYielder } from '#lib/limits/yield-to-event-loop.ts'
import { isNews, kindMask, kindsOf } from '#search/catalogue/page-kind.ts'
import { type LibraryPage, type OpenPage, addressAt, addressOfText, chunksOf, kindOfPage } from '../library-page.ts'
import type { Library } from '../library.ts'
import type { Entry, Section, Span } from '../model/document.ts'
import { sentencesOf } from '../model/read-block.ts'
import { plainName } from '../summary/name-things.ts'
import {
  type Place,
  VERBS,
  questionOfEntry,
  questionOfHeading,
  questionOfOpening,
  questionOfOperation,
} from './word-question.ts'

/** A question that a part of a page seems to answer. */
export type ProposedQuestion = {
  question: string
  /** Address of the part. */
  url: string
  /** Title of the page, and its address. */
  title: string
  page: string
  /** The part, as a range of the page's text. */
  part: Span
}

/** Pages that are opened, some at once until there are enough questions: more than are tried. */
const MOST_PAGES = 60
const PAGES_AT_ONCE = 10
const ENOUGH = 30
/** Passages of a page. Reading a longer one takes tens of milliseconds, which only sources of a few pages cost. */
const MOST_CHUNKS = 100
const MOST_LONG = 5
/** Sections and entries read of a page, and questions about it. */
const MOST_PARTS = 40
const MOST_OF_PAGE = 3
/** Characters of the blocks that show what a section is about. */
const MOST_READ = 4_000
/** Levels by which a page for beginners counts as nearer to the root. */
const START_LIFTS = 2
/** The call of an operation, which the title of its page ends with, and segments by which making a thing counts as fewer. */
const OPERATION = /: ([A-Z]{3,7}) (\/\S*)$/
const POST_LIFTS = 0.5
/** Fewer options or settings are mentioned by a page, not documented. */
const LEAST_ENTRIES = 5
/** Characters that show how a page writes its words. */
const READ = 20_000
/** Fewer characters below a heading are a stub, or introduce sections. */
const LEAST_TEXT = 50
const LEAST_LEAD = 300

/** Pages about releases answer what is asked about one of them only. */
const LEFT_OUT = kindMask(['issue', 'release', 'changelog', 'migration'])
const START = kindMask(['start'])
/** Pages for those who work on the product itself, or keep its past, come last. */
const FOR_FEW =
  /(?:^|[/_.-])(?:contribut(?:e|ing|ors?)|development|dev-guide|developers?-?guide|hacking|internals?|coding[-_]style|histor(?:y|ical)[\w-]*)(?:$|[/_.-])/i
const FEW_SINK = 10

/**
 * Proposes questions about the pages of a source, the most promising first: at most `MOST_OF_PAGE` of a page, and those
 * of different pages before further ones of the same page. `isHostile` tests for texts that address an assistant.
 */
export async function proposeQuestions(
  library: Library,
  sourceId: string,
  isHostile: (text: string) => boolean,
): Promise<ProposedQuestion[]> {
  const pages = inOrder(await library.all({ sourceId })).slice(0, MOST_PAGES)
  const turns = createYielder()
  const proposed: Ranked[] = []
  for (let from = 0; from < pages.length && proposed.length < ENOUGH; from += PAGES_AT_ONCE) {
    for (const page of await library.open(pages.slice(from, from + PAGES_AT_ONCE))) proposed.push(...questionsOn(page))
    if (turns.due()) await turns.turn()
  }
  const seen = new Set<string>()
  return proposed
    .toSorted((one, other) => one.round - other.round || one.rank - other.rank)
    .map(({ round: _, rank: __, ...question }) => question)
    .filter(({ question }) => !isHostile(question) && seen.size < seen.add(question.toLowerCase()).size)
}

/**
 * Pages for beginners first, then those near the root, there those of each folder in turn. Long pages before short ones.
 * Without news and schemas, and mostly without pages that are so long that they are lists.
 */
function inOrder(pages: readonly LibraryPage[]): LibraryPage[] {
  const ranked = pages.flatMap((page) => {
    const kinds = kindsOf(page)
    const { pageChunks } = page.part.segment
    const size = elementAt(pageChunks, page.page + 1) - elementAt(pageChunks, page.page)
    const isList = kindOfPage(page) === 'schema' || (size > MOST_CHUNKS && pages.length > MOST_LONG)
    if ((kinds & LEFT_OUT) !== 0 || isNews(page) || isList) return []
    const path = addressPath(page.url)
    const folders = path.split('/').filter(Boolean)
    const lifts = (FOR_FEW.test(path) ? -FEW_SINK : 0) + ((kinds & START) === 0 ? 0 : START_LIFTS)
    // Of an API, what is made first: `POST /users` before `GET /users/{id}/keys`.
    const [, method, called = ''] = OPERATION.exec(page.title) ?? []
    const depth = folders.length - lifts + called.split('/').length - (method === 'POST' ? POST_LIFTS : 0)
    return [{ page, folder: folders.slice(0, -1).join('/'), depth, size }]
  })
  const turnOf = new Map<string, number>()
  return ranked
    .toSorted((one, other) => one.depth - other.depth || other.size - one.size)
    .map(({ page, folder, depth }) => {
      const turn = turnOf.get(folder) ?? 0
      turnOf.set(folder, turn + 1)
      return { page, depth, turn }
    })
    .toSorted((one, other) => one.depth - other.depth || one.turn - other.turn)
    .map(({ page }) => page)
}

/** The paragraphs of a page, without its headings and code. */
function sentencesIn({ markdown, sections }: OpenPage): string {
  let text = ''
  for (const { kind, start, end } of sections.flatMap(({ blocks }) => blocks)) {
    if (kind === 'paragraph' || kind === 'list') text += `${markdown.slice(start, Math.min(end, start + READ))}\n`
    if (text.length > READ) break
  }
  return text
}

type Ranked = ProposedQuestion & { rank: number; round: number }

/** Forms of questions, the most natural first. */
const RANKS = { heading: 0, title: 1, opening: 2, entry: 3 }

/** Of many such things, only the page says which. */
const VAGUE = /^How do I \S+ an? \S+\?$/
const OF_PAGE = /^How do I \S+ the ([\p{Ll}-]+)(?: up| out)?\?$/u

function questionsOn(page: OpenPage): Ranked[] {
  if (kindOfPage(page) === 'endpoint') return questionsOnOperation(page)
  const { segment } = page.part
  const language = segment.language(elementAt(segment.pageLanguages, page.page)) || null
  const place: Place = { language, text: sentencesIn(page) }
  const found: Omit<Ranked, 'round'>[] = []
  const add = (question: string | null, rank: number, at: { url: string; part: Span }) => {
    const [, noun] = OF_PAGE.exec(question ?? '') ?? []
    // The page is about it: `Claim the warranty`, on `Warranty`.
    const isOfPage = noun !== undefined && !page.title.toLowerCase().includes(noun.replace(/s$/, ''))
    if (question === null || isOfPage || found.some((other) => other.part.start === at.part.start)) return
    found.push({ question, title: page.title, page: page.url, rank: rank + (VAGUE.test(question) ? 0.5 : 0), ...at })
  }
  for (const section of page.sections.slice(0, MOST_PARTS)) {
    if (section.continues || section.end - section.body < LEAST_TEXT || isNote(page, section)) continue
    const heading = section.level === 0 ? page.title : section.heading
    const at = { url: addressAt(page, section), part: { start: section.start, end: section.end } }
    const asked = questionOfHeading(heading, place)
    add(asked?.startsWith('How do I') && !instructs(page, section, asked) ? null : asked, RANKS.heading, at)
    const isTitle = section.level <= 1
    add(questionOfOpening(openingOf(page, section), heading, place), isTitle ? RANKS.title : RANKS.opening, at)
  }
  if (language === null || language === 'en') {
    for (const { entry, section } of entriesOf(page)) {
      const { kind, name, start, end } = entry
      const question = questionOfEntry(kind, plainName(page.markdown.slice(name.start, name.end)))
      add(question, RANKS.entry, { url: addressOfText(page, section, start), part: { start, end } })
    }
  }
  return found
    .toSorted((one, other) => one.rank - other.rank)
    .slice(0, MOST_OF_PAGE)
    .map((question, round) => ({ ...question, round }))
}

/** The task of an API operation, unless nobody should begin with it. */
function questionsOnOperation(page: OpenPage): Ranked[] {
  const { markdown, title, sections } = page
  const question = questionOfOperation(title)
  const [first] = sections
  if (question === null || !first || markdown.slice(0, MOST_READ).includes('\n**Deprecated.**')) return []
  const part = { start: first.start, end: markdown.length }
  return [{ question, title, page: page.url, url: addressAt(page, first), part, rank: RANKS.heading, round: 0 }]
}

/**
 * True if a section begins by telling its reader what to do. Sections below it do not count: an answer begins with its own
 * blocks. Where those are few, they introduce the others.
 */
function instructs({ markdown }: OpenPage, { body, end, close, blocks }: Section, question: string): boolean {
  const [first] = blocks
  if (first === undefined || (close > end && end - body < LEAST_LEAD)) return false
  const begin = markdown.slice(first.start, Math.min(blocks[1]?.end ?? first.end, first.start + MOST_READ))
  const isTold = blocks.slice(0, 2).some(({ kind }) => kind === 'code') || isInstruction(begin)
  return isTold && !isAfterwards(question, begin)
}

/** Notes are about a section, and no answer. */
const isNote = ({ markdown }: OpenPage, { body, end }: Section): boolean =>
  /^\s*(?:> ?)?(?:\*\*|\[!)?(?:note|warning|caution|important|tip|deprecated|see also)\b/i.test(
    markdown.slice(body, Math.min(end, body + 100)),
  )

/** The first sentence below the heading. */
function openingOf({ markdown }: OpenPage, { blocks }: Section): string {
  const [first] = blocks
  if (first?.kind !== 'paragraph') return ''
  const text = markdown.slice(first.start, Math.min(first.end, first.start + 600))
  const [sentence] = sentencesOf(text)
  return sentence ? text.slice(sentence.start, sentence.end) : ''
}

type Named = Entry & { kind: 'option' | 'setting' | 'command' }

/** The options and commands that a page documents, and its settings with a section each. */
function entriesOf(page: OpenPage): { entry: Named; section: Section }[] {
  const isNamed = (entry: Entry): entry is Named =>
    (entry.kind === 'option' || entry.kind === 'setting' || entry.kind === 'command') &&
    entry.end - entry.start >= LEAST_TEXT
  const found = chunksOf(page)
    .flatMap(({ entries = [] }) => entries)
    .filter(isNamed)
    .flatMap((entry) => {
      const section = page.sections.findLast(({ start }) => start <= entry.start)
      return section && (entry.kind !== 'setting' || section.start === entry.start) ? [{ entry, section }] : []
    })
  const counts = Map.groupBy(found, ({ entry }) => entry.kind)
  return found.filter(({ entry }) => (counts.get(entry.kind)?.length ?? 0) >= LEAST_ENTRIES).slice(0, MOST_PARTS)
}

/** What a reader can do, as the subject of a clause: not `we walk you through it`. */
const YOU =
  /(?:^|[.,;:!?)] |\b(?:if|when|that|which|where|how|what|once|before|after|as|so|then|and|or|but) )you\b|\byou (?:can|may|must|should|need|have)\b/im
const IN_PASSIVE = /\b(?:can|may|must|should|needs? to|has to|have to) be [a-z]+(?:ed|en|t)\b|\bit is possible to\b/i

/**
 * True if a text tells its reader what to do. Others say what the thing itself does (`Handling missing objects`), or what
 * the document does.
 */
export function isInstruction(text: string): boolean {
  if (/\bthis (?:document|documentation|page|section|chapter|guide|tutorial|article)\b/i.test(text)) return false
  if (YOU.test(text) || IN_PASSIVE.test(text)) return true
  return sentencesOf(text).some(({ start, end }) => {
    const [first = '', second = ''] = text
      .slice(start, end)
      .replace(/^[\W\d_]+/, '')
      .split(/\s+/, 2)
    return VERBS.has(first.toLowerCase()) || (first === 'To' && /^[a-z]+$/.test(second))
  })
}

/** True if a section begins with a condition that has the verb of a question: it tells what follows, not how. */
export function isAfterwards(question: string, text: string): boolean {
  const [verb = ''] = question.replace('How do I ', '').split(' ', 1)
  const [clause = ''] = text.slice(0, 200).split(',', 1)
  return /^(?:if|when|whenever|once|after|although|while) /i.test(clause) && clause.split(' ').includes(verb)
}
