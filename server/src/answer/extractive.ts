import { withoutSection } from '#lib/addresses/page-address.ts'
import type { HeadingBlock } from '#documents/model/document.ts'
import { headAbove, sentencesOf, tableOf, titleAbove } from '#documents/model/read-block.ts'
import { type Passage, withFences } from '#search/passage.ts'
import type { Answer, Found, FoundPart } from './answer.ts'
import { type AskedTerms, coveredTerms, shareOf, termsOf } from './asked-terms.ts'
import { type Judged, judgeQuestion, type Section, SHOWN } from './confidence.ts'
import { composeAnswer, composeUnanswered, OURS, type ShownPart } from './compose.ts'
import { pinnedFirst } from './pinned.ts'
import { escapeMarks, lengthOf, type Quote, quotePassage, tellingPieces } from './quote.ts'
import { LENGTHS } from './weights.ts'

/**
 * Answers a question without a model from the sections that the search ranks first, in whole blocks, word for word and
 * each with its citation. What the question names comes first: an operation, a release, an entry. A comparison shows a
 * section about both sides, or else one about each. Several questions are answered one by one. States what the sources do
 * not answer.
 */
export function answerFromPassages(question: string, found: Found): Answer {
  const answer = answerUnpinned(question, found)
  return found.pinned === undefined ? answer : pinnedFirst(found.pinned, answer)
}

function answerUnpinned(question: string, found: Found): Answer {
  const judged = judgeQuestion(question, found)
  const { endpoint, parts } = found
  const call = endpoint && judged.sections.find(({ passage }) => passage.url === endpoint.first.url)
  if (call) return answerByCall(question, endpoint.page, judged)
  return (parts && answerParts(parts, judged)) ?? answerWhole(judged, found.release ?? null)
}

function answerWhole({ sections, asked, confidence }: Judged, release: Passage | null): Answer {
  const found = sections.map(({ passage }) => passage)
  const isRelease = release !== null && found[0]?.url === release.url && found[0].start === release.start
  if (isRelease) return answerByRelease(sections, asked)
  if (confidence === 'none') return composeUnanswered(found)
  const isRelated = confidence === 'low'
  const quotes = quoteSections(isRelated ? sections : onTopic(sections, asked), asked, SHOWN)
  if (quotes.length === 0) return composeUnanswered(found)
  const notes = isRelated ? [OURS.related] : []
  return composeAnswer([{ notes, quotes }], found, confidence)
}

/** The entry of the release alone, from its beginning: other releases answer something else, and all of it was asked. */
function answerByRelease(sections: readonly Section[], asked: AskedTerms): Answer {
  const found = sections.map(({ passage }) => passage)
  const quotes = quoteSections(sections, { ...asked, weights: new Map() }, 1)
  return quotes.length === 0 ? composeUnanswered(found) : composeAnswer([{ notes: [], quotes }], found, 'high')
}

/** Least share of the question in a further section, and its least score, as parts of those of the first. */
const ON_TOPIC = { share: 0.46, score: 0.5 } as const

/** Of the first sections those that are about the question too. */
function onTopic(sections: readonly Section[], asked: AskedTerms): Section[] {
  const [first] = sections
  const shareIn = ({ covers }: Section) => shareOf(covers, asked)
  return sections
    .slice(0, SHOWN)
    .filter(
      (section) =>
        section === first ||
        (first !== undefined &&
          section.passage.score >= ON_TOPIC.score * first.passage.score &&
          shareIn(section) >= ON_TOPIC.share * shareIn(first)),
    )
}

/** Quotes the first sections, at most `count`. What the first ones do not need is left for the next. */
function quoteSections(sections: readonly Section[], asked: AskedTerms, count: number): Quote[] {
  const quotes: Quote[] = []
  let left = 0
  for (const { passage } of sections) {
    if (quotes.length >= count) break
    const most = [LENGTHS.first, LENGTHS.second, LENGTHS.third][quotes.length] ?? 0
    const quote = quotes.some((other) => contains(other.passage, passage))
      ? null
      : quotePassage(passage, most + left, asked)
    if (quote === null) continue
    quotes.push(quote)
    left = Math.max(0, Math.min(LENGTHS.carried, most + left - lengthOf(quote.pieces)))
  }
  return quotes
}

/** True if a passage begins inside another of its page: the entry that a question names is also in a found section. */
function contains(outer: Passage, { url, start }: Passage): boolean {
  const isSamePage = withoutSection(outer.url) === withoutSection(url)
  return isSamePage && start >= outer.start && start < outer.start + outer.passage.length
}

/** Characters of the call with its description, and of a sample of it. The parameters get the rest. */
const MOST_CALL = 350
const MOST_SAMPLE = 450
const MOST_OPERATION = 1_050

/** Sections of an operation's page as the extraction of API descriptions writes them. */
const INPUT = ['Parameters', 'Request body']
const SAMPLE = 'Sample request'
const OUTPUT = 'Responses'

const ASKS_FOR_OUTPUT = /\b(?:returns?|respon(?:ds?|ses?)|answers?|results?)\b/i

/** The call with its description. Then its parameters and a sample, or its answers if the question is about them. */
function answerByCall(question: string, given: Passage, { sections }: Judged): Answer {
  const [page = given] = withFences([given])
  const parts = page.blocks.filter((block) => block.kind === 'heading' && block.level === 2) as HeadingBlock[]
  const pieces = firstForms(page).flatMap((piece) => (piece.kind === 'table' ? rowsOf(piece) : [piece]))
  const below = (heading: string) =>
    pieces.filter((piece) => heading === (parts.findLast(({ start }) => start < piece.start)?.text ?? ''))
  const call = fitting(below(''), MOST_CALL)
  const left = MOST_OPERATION - lengthOf(call)
  const rest = ASKS_FOR_OUTPUT.test(question)
    ? fitting(below(OUTPUT), left)
    : requestOf(INPUT.flatMap(below), below(SAMPLE), left)
  const found = sections.map(({ passage }) => passage)
  if (call.length + rest.length === 0) return composeUnanswered(found)
  const quote = { passage: page, pieces: joinRows([...call, ...rest], page), rest: null }
  // The call itself names the operation.
  return composeAnswer([{ notes: [], quotes: [quote] }], found, 'high', { hasHeading: false })
}

type Piece = Quote['pieces'][number]

/** The pieces of an operation's page. Of several media types below a heading it has the first alone. */
function firstForms(page: Passage): Piece[] {
  const headings = page.blocks.filter(({ kind }) => kind === 'heading')
  const seen = new Set<string>()
  return tellingPieces(page).filter(({ kind, start, text }) => {
    if (kind !== 'table' && kind !== 'code') return true
    const columns = kind === 'code' ? kind : text.slice(0, text.indexOf('\n'))
    const form = `${headings.findLast((heading) => heading.start < start)?.start} ${columns}`
    return !seen.has(form) && seen.add(form)
  })
}

function rowsOf(table: Piece): Piece[] {
  return tableOf(table.text, { start: 0, end: table.text.length }).rows.map(({ start, end }) => ({
    ...table,
    start: table.start + start,
    end: table.start + end,
    text: table.text.slice(start, end),
  }))
}

/** Joins the rows of each table, below its header and the titles of their groups. */
function joinRows(pieces: readonly Piece[], { passage, blocks }: Passage): Piece[] {
  const joined: Piece[] = []
  for (const piece of pieces) {
    const last = joined.at(-1)
    if (last?.kind === 'table' && piece.kind === 'table' && last.group === piece.group) {
      const title = titleAbove(passage, last.end, piece.start)
      joined[joined.length - 1] = { ...last, end: piece.end, text: `${last.text}\n${title}${piece.text}` }
    } else {
      const table = blocks.find(({ start, end }) => start <= piece.start && piece.end <= end)
      const head = piece.kind === 'table' && table ? headAbove(passage, table.start, piece.start) : ''
      joined.push(head === '' ? piece : { ...piece, text: head + piece.text })
    }
  }
  return joined
}

/** The tables of parameters, of which the required ones are the most important, and the sample after them. */
function requestOf(inputs: readonly Piece[], samples: readonly Piece[], most: number): Piece[] {
  const code = samples.filter(({ kind }) => kind === 'code')
  const sample = fitting(code, Math.min(MOST_SAMPLE, most))
  const rows = inputs
    .filter(({ kind }) => kind === 'table')
    .toSorted((a, b) => Number(isRequired(b)) - Number(isRequired(a)))
  const shown = fitting(rows, most - lengthOf(sample))
  return [...shown.toSorted((a, b) => a.start - b.start), ...sample]
}

function fitting(pieces: readonly Piece[], most: number): Piece[] {
  let left = most
  const end = pieces.findIndex(({ text }) => (left -= text.length + 1) < 0)
  return pieces.slice(0, end < 0 ? undefined : end)
}

/** Rows say "yes" in the column of required parameters. A field of an optional object can be required in it only. */
function isRequired({ text }: Piece): boolean {
  const [row] = tableOf(text, { start: 0, end: text.length }).rows
  const [name = '', ...others] = row?.cells.map(({ start, end }) => text.slice(start, end)) ?? []
  return /^`[^`.[]+`$/.test(name) && others.includes('yes')
}

type JudgedPart = { part: FoundPart; judged: Judged; section: Section | null }

/** Characters of sections about one of several things each, and of one about all. */
const MOST_TOGETHER = 2_200
const MOST_SHARED = 1_700

/** Answers a comparison or several questions. Null if the sections of the whole question answer it better. */
function answerParts(found: readonly FoundPart[], whole: Judged): Answer | null {
  const parts = found.map((part) => judgePart(part, whole))
  const own = parts.flatMap(({ section }) => section ?? [])
  if (own.length === 0) return null
  const passages = [...new Set([...own, ...whole.sections].map(({ passage }) => passage))]
  if (found.some(({ side }) => side === null)) return answerEach(parts, passages, whole)
  const headed = whole.sections.find(({ passage }) => isHeadedByAll(passage, parts))
  if (headed) {
    const others = own.filter(({ passage }) => passage.url !== headed.passage.url)
    const quotes = quoteSections([headed, ...others], whole.asked, SHOWN)
    // A heading that names both sides can be about one of them.
    return quotes.length === 0 ? null : composeAnswer([{ notes: [], quotes }], passages, 'medium')
  }
  const isEachAbout = parts.every(
    ({ part: { side }, judged: { asked }, section }) => section !== null && isAbout(section.passage, side ?? '', asked),
  )
  const shared = isEachAbout
    ? undefined
    : whole.sections.slice(0, SHOWN).find(({ passage, above }) => above.size > 0 && saysAll(passage, parts))
  const quote = shared && quotePassage(shared.passage, MOST_SHARED, whole.asked)
  if (!quote) return composeAnswer(showParts(parts), passages, 'medium')
  return composeAnswer([{ notes: [], quotes: [quote] }], passages, whole.confidence === 'high' ? 'high' : 'medium')
}

/** Words of a heading for each of a side. A signature with more names much else. */
const MOST_WORDS = 6

/** True if the innermost heading of a passage, or the title of its page, names all sides. */
function isHeadedByAll({ headings, title }: Passage, parts: readonly JudgedPart[]): boolean {
  const heading = headings.at(-1) ?? title
  return parts.every(({ part: { side }, judged: { asked } }) => {
    const said = new Set(termsOf(heading, asked.language, asked.analyse))
    const named = termsOf(side ?? '', asked.language, asked.analyse)
    return said.size <= MOST_WORDS * named.length && named.every((term) => said.has(term))
  })
}

/** True if a side is half or more of the innermost heading of a passage, or of the title of its page. */
function isAbout({ headings, title }: Passage, side: string, asked: AskedTerms): boolean {
  const named = new Set(termsOf(side, asked.language, asked.analyse))
  const [name = ''] = title.split(/\(\d|\s[-–—]\s/)
  return [headings.at(-1) ?? '', name].some((heading) => {
    const said = new Set(termsOf(heading, asked.language, asked.analyse))
    return named.isSubsetOf(said) && 2 * named.size >= said.size
  })
}

/** True if a sentence of a passage names all sides. */
function saysAll({ passage }: Passage, parts: readonly JudgedPart[]): boolean {
  return sentencesOf(passage).some(({ start, end }) =>
    parts.every(({ part: { side }, judged: { asked } }) => {
      const said = new Set(termsOf(passage.slice(start, end), asked.language, asked.analyse))
      return termsOf(side ?? '', asked.language, asked.analyse).every((term) => said.has(term))
    }),
  )
}

/** Answers questions one by one. Null if one section has the answer to all, or if none is answered. */
function answerEach(parts: readonly JudgedPart[], passages: readonly Passage[], { sections }: Judged): Answer | null {
  const [first] = sections
  if (parts.every(({ section }) => section !== null && section.passage.url === first?.passage.url)) return null
  const levels = parts.map(({ judged, section }) => (section === null ? 'none' : judged.confidence))
  if (levels.every((level) => level === 'none' || level === 'low')) return null
  return composeAnswer(showParts(parts), passages, levels.every((level) => level === 'high') ? 'high' : 'medium')
}

/** The section of a side is the best one with the side in its headings, or else in its text. */
function judgePart(part: FoundPart, whole: Judged): JudgedPart {
  const judged = judgeQuestion(part.question, part.found)
  if (part.side === null)
    return { part, judged, section: judged.confidence === 'none' ? null : (judged.sections[0] ?? null) }
  const wanted = coveredTerms(part.side, judged.asked)
  const named = termsOf(part.side, whole.asked.language, whole.asked.analyse)
  const { side } = part
  const section =
    judged.sections.find(({ passage }) => isAbout(passage, side, judged.asked)) ??
    judged.sections.find(({ above }) => wanted.isSubsetOf(above)) ??
    judged.sections.find(({ covers }) => wanted.isSubsetOf(covers)) ??
    whole.sections.find(({ covers }) => named.every((term) => covers.has(term)))
  return { part, judged, section: section ?? null }
}

function showParts(parts: readonly JudgedPart[]): ShownPart[] {
  return parts.map(({ part, section, judged }) => {
    const label = `**${escapeMarks(part.label.replaceAll('*', ''))}**`
    const most = Math.floor(MOST_TOGETHER / parts.length)
    const quote = section && quotePassage(section.passage, most, judged.asked)
    return quote ? { notes: [label], quotes: [quote] } : { notes: [label, OURS.unanswered], quotes: [] }
  })
}
