import { elementAt } from '#lib/arrays.ts'
import type { Section } from '../model/document.ts'
import { withoutSection } from '#lib/addresses/page-address.ts'
import { addressInPassage, type Passage } from '#search/passage.ts'
import { createStemmer, stemsOf } from '../term-overlap.ts'
import { addressOfText, headingPath, type OpenPage } from '../library-page.ts'
import type { Scope, Search } from '../library.ts'
import { removeSpans } from '#lib/text/replace-links.ts'
import { scanWords } from '#search/analyse/scan-words.ts'
import { isStopWord } from '#search/analyse/stop-words.ts'
import { oneLine } from '#lib/text/one-line.ts'
import { piecesOf, sentencesOf } from '../model/read-block.ts'

/** One point of a summary: its location and its sentences. */
export type Point = { title: string; heading: string; url: string; sourceId: string; sentences: string[] }

/** Sentences taken from the start of a page, and from each section. */
const OF_LEAD = 2
const OF_SECTION = 1
const MOST_POINTS = 60
/** Characters used for word weights: the start of a book indicates its topic. */
const WEIGHED = 60_000

/** Characters at the start of a page that introduce it. */
const BEGINNING = 3_000

/** The best sentences of a page's introduction, in order; may be empty. */
export function leadOf({ markdown }: Pick<OpenPage, 'markdown'>): string[] {
  const beginning = markdown.slice(0, BEGINNING)
  const best = keySentences(beginning, wordWeights(beginning)).toSorted((a, b) => a.index - b.index)
  return best.slice(0, OF_LEAD).map(({ text }) => text)
}

type PagePoint = { section: Section; point: Point }

/** The points of a page: the best sentences of its introduction and of each section, in reading order. */
function pointsOf(page: OpenPage): PagePoint[] {
  const { markdown, title, sourceId } = page
  const weights = wordWeights(markdown.slice(0, WEIGHED))
  return page.sections.flatMap((section, index) => {
    const { level, body, end } = section
    const best = keySentences(markdown.slice(body, end), weights)
      .slice(0, index === 0 ? OF_LEAD : OF_SECTION)
      .toSorted((a, b) => a.index - b.index)
    const isTop = level <= 1 && (section.heading === '' || section.heading === title)
    const heading = isTop ? '' : headingPath(page, section)
    return byAddress(best, ({ start }) => addressOfText(page, section, body + start)).map((part) => ({
      section,
      point: { title, heading, sourceId, ...part },
    }))
  })
}

/** Summarises a page, or the section at the fragment of `url`. Prefers the introduction and the top levels. */
export function summarizeAt(page: OpenPage, url: string): Point[] {
  const fragmentOf = (address: string) => address.slice(withoutSection(address).length)
  const fragment = fragmentOf(url)
  const all = pointsOf(page)
  const first = fragment === '' ? undefined : all.find(({ point }) => fragmentOf(point.url) === fragment)?.section
  const inside = all.filter(({ section: { start } }) => !first || (start >= first.start && start < first.close))
  const levels = inside.map(({ section }) => (section === page.sections[0] ? 0 : section.level))
  const deepest = levels.toSorted((a, b) => a - b)[MOST_POINTS - 1] ?? Infinity
  const shown = inside.filter((_, at) => elementAt(levels, at) <= deepest)
  return shown.slice(0, MOST_POINTS).map(({ point }) => point)
}

const PASSAGES = 16
/** Passages below this share of the best score are off topic. */
const LEAST_SCORE = 0.45
const PASSAGE_BYTES = 40_000

const OF_PASSAGE = 2
/** Sentences of a section, whose passages can be several. */
const OF_TOPIC = 3
/** Boost for a sentence about the topic. */
const TOPICAL = 2
/** Sentences scored per passage, because stemming is slow. */
const MOST_SCORED = 5

/** Searches the topic and summarises what the best passages say of it. */
export async function summarizeTopic(
  search: Search,
  { topic, scope }: { topic: string; scope: Scope },
  signal: AbortSignal | undefined,
): Promise<Point[]> {
  const { passages } = await search({ query: topic, limit: PASSAGES, budget: PASSAGE_BYTES, ...scope }, signal)
  const best = passages[0]?.score ?? 0
  const telling = passages.filter(({ score }) => score >= best * LEAST_SCORE)
  const points = summarizePassages(telling, topic)
  // The best passages can consist of code and tables only.
  return points.length > 0 ? points : summarizePassages(passages, topic)
}

/** Summarises passages on a topic: the most relevant sentences of each, in passage order. */
function summarizePassages(passages: readonly Passage[], topic: string): Point[] {
  const analyse = createStemmer()
  const asked = stemsOf(topic, analyse)
  const weights = wordWeights(passages.map(({ passage }) => passage).join('\n\n'))
  const told = new Set<string>()
  const points = passages.flatMap((found): Point[] => {
    const { title, heading, sourceId, passage } = found
    const best = keySentences(passage, weights)
      .slice(0, MOST_SCORED)
      .map((sentence) => {
        const share = asked.intersection(stemsOf(sentence.text, analyse)).size / Math.max(1, asked.size)
        return { ...sentence, worth: sentence.worth * (1 + TOPICAL * share) }
      })
      .toSorted((a, b) => b.worth - a.worth)
      .filter(({ text }) => !told.has(text))
      .slice(0, OF_PASSAGE)
      .toSorted((a, b) => a.index - b.index)
    for (const { text } of best) told.add(text)
    const parts = byAddress(best, ({ start }) => addressInPassage(found, start))
    return parts.map((part) => ({ title, heading, sourceId, ...part }))
  })
  // Several passages can be parts of one section.
  return [...Map.groupBy(points, ({ url, heading }) => `${url} ${heading}`).values()].flatMap(([first, ...others]) =>
    first ? [{ ...first, sentences: [first, ...others].flatMap(({ sentences }) => sentences).slice(0, OF_TOPIC) }] : [],
  )
}

/** A sentence of a text, verbatim except for line breaks, and its offset there. */
type Sentence = { text: string; start: number }
type KeySentence = Sentence & { worth: number; index: number }

/** Bounds in characters: shorter sentences say too little, longer ones too much. */
const LEAST = 30
const MOST = 400
/** Fewer characters beside a link say nothing of it. */
const LEAST_BESIDE = 12
/** Factors for the first two sentences of a section, which mostly summarise it. */
const FIRST = 1.6
const SECOND = 1.2

/** Word weights by frequency: the most frequent content words indicate the topic (Luhn 1958). */
export function wordWeights(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  scanWords(text, 0, text.length, (start, end) => {
    const word = text.slice(start, end)
    if (word.length < 3 || isStopWord(word)) return
    const key = word.toLowerCase()
    counts.set(key, (counts.get(key) ?? 0) + 1)
  })
  for (const [word, count] of counts) counts.set(word, count < 2 ? 0 : Math.log2(1 + count))
  return counts
}

/** Sentences of a Markdown text with the highest weight, best first. Skips code, tables and headings. */
export function keySentences(markdown: string, weights: ReadonlyMap<string, number>): KeySentence[] {
  const all = sentencesIn(markdown)
  const whole = all.filter(({ text }) => !text.endsWith(':'))
  // What introduces code or a list is no whole sentence, but better than nothing.
  return (whole.length > 0 ? whole : all)
    .map(({ text, start }, index) => ({
      text,
      start,
      index,
      worth: worthOf(text, weights) * (index === 0 ? FIRST : index === 1 ? SECOND : 1),
    }))
    .filter(({ worth }) => worth > 0)
    .toSorted((a, b) => b.worth - a.worth)
}

/** Divides sentences in order by their addresses: a point cites one, and a section of a PDF has several pages. */
function byAddress(
  sentences: readonly KeySentence[],
  addressOf: (sentence: KeySentence) => string,
): { url: string; sentences: string[] }[] {
  return [...Map.groupBy(sentences, addressOf)].map(([url, own]) => ({ url, sentences: own.map(({ text }) => text) }))
}

function worthOf(text: string, weights: ReadonlyMap<string, number>): number {
  let sum = 0
  let words = 0
  scanWords(text, 0, text.length, (start, end) => {
    words++
    sum += weights.get(text.slice(start, end).toLowerCase()) ?? 0
  })
  // Smoothing: short sentences of one frequent word do not win, and every sentence has a positive score.
  return (sum + 0.5) / (words + 8)
}

/** False for a fragment, a link alone, and a title without heading marks: `**Using ACLs and fetching samples**`. */
function isTelling(sentence: string): boolean {
  const visible = removeSpans(sentence, { opening: /\]\(/g, closing: ')' })
  if (visible.length < LEAST || sentence.length > MOST) return false
  // List items may lack a full stop, but a few words without one are a label.
  if (!/[.!?。！？:)`*]$/u.test(sentence) && sentence.split(' ').length < 7) return false
  if (/^\*\*[^*]{1,200}\*\*$/.test(sentence) && !/[.!?:。！？]\*\*$/.test(sentence)) return false
  const unlinked = removeSpans(sentence, { opening: /\[/g, closing: ')' })
  return !/^\W{0,6}\[/.test(sentence) || unlinked.trim().length >= LEAST_BESIDE
}

function sentencesIn(markdown: string): Sentence[] {
  return piecesOf(markdown)
    .filter(({ kind }) => kind === 'paragraph' || kind === 'item')
    .flatMap(({ start, end }) => sentencesOfPiece(markdown.slice(start, end), start))
    .filter(({ text }) => !/^\W*(?:related|see also|note|tip|read more|more)\b[^.]{0,80}$/i.test(text))
    .filter(({ text }) => isTelling(text))
}

/** None of a piece that begins with a picture, a tag or the mark of a callout. */
function sentencesOfPiece(piece: string, start: number): Sentence[] {
  const from = /^\s*(?:(?:[-*+]|\d+\.|>)[ \t]+)?/.exec(piece)?.[0].length ?? 0
  if (/^\s*(?:!\[|<|>\s*\[!)/.test(piece)) return []
  return sentencesOf(piece.slice(from)).map((span) => ({
    text: oneLine(piece.slice(from + span.start, from + span.end)),
    start: start + from + span.start,
  }))
}
