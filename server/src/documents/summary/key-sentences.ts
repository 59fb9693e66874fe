import { removeSpans } from '#lib/text/replace-links.ts'
import { scanWords } from '#search/analyse/scan-words.ts'
import { isStopWord } from '#search/analyse/stop-words.ts'
import { piecesOf } from '../model/pieces.ts'

/** A sentence of a text, verbatim except for line breaks, and its offset there. */
type Sentence = { text: string; start: number }
export type KeySentence = Sentence & { worth: number; index: number }

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
export function byAddress(
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

/** True for a full sentence. List items may lack a full stop, but a few words without one are a label. */
function isWhole(sentence: string): boolean {
  return /[.!?。！？:)`*]$/u.test(sentence) || sentence.split(' ').length >= 7
}

/** True for a title without heading marks: `**Using ACLs and fetching samples**`. */
function isBoldTitle(sentence: string): boolean {
  return /^\*\*[^*]{1,200}\*\*$/.test(sentence) && !/[.!?:。！？]\*\*$/.test(sentence)
}

/** True for the text of a link alone, such as an entry of a navigation. */
function isLink(sentence: string): boolean {
  return (
    /^\W{0,6}\[/.test(sentence) && removeSpans(sentence, { opening: /\[/g, closing: ')' }).trim().length < LEAST_BESIDE
  )
}

/** A sentence without its link targets. */
function visible(sentence: string): string {
  return removeSpans(sentence, { opening: /\]\(/g, closing: ')' })
}

function sentencesIn(markdown: string): Sentence[] {
  return piecesOf(markdown)
    .filter(({ kind }) => kind === 'paragraph' || kind === 'item')
    .flatMap(({ start, end }) => paragraphsOf({ text: markdown.slice(start, end), start }))
    .filter(({ text }) => !/^(?:!\[|<|>\s*\[!)/.test(text))
    .flatMap(sentencesOfBlock)
    .filter(({ text }) => !/^\W*(?:related|see also|note|tip|read more|more)\b[^.]{0,80}$/i.test(text))
    .filter(({ text }) => visible(text).length >= LEAST && text.length <= MOST && isWhole(text))
    .filter(({ text }) => !isLink(text) && !isBoldTitle(text))
}

/** The paragraphs of a piece, trimmed. */
function paragraphsOf({ text, start }: Sentence): Sentence[] {
  const breaks = [...text.matchAll(/\n[ \t]*\n/g), null]
  let from = 0
  return breaks.map((found) => {
    const part = trimmed({ text: text.slice(from, found?.index), start: start + from })
    if (found) from = found.index + found[0].length
    return part
  })
}

function trimmed({ text, start }: Sentence): Sentence {
  return { text: text.trim(), start: start + text.length - text.trimStart().length }
}

function sentencesOfBlock({ text: block, start }: Sentence): Sentence[] {
  const mark = /^(?:[-*+]|\d+\.|>)[ \t]+/.exec(block)?.[0] ?? ''
  let from = mark.length
  return block
    .slice(from)
    .replaceAll(/\s+/g, ' ')
    .split(/ (?<=[.!?][)\]"'*_]* )(?=[\p{Lu}`"'([*])|(?<=[。！？])/u)
    .map((part) => {
      const text = part.trim()
      // The block has at least as many blanks, so the sentence begins there or shortly after.
      const at = Math.max(from, block.indexOf(text.split(' ', 1)[0] ?? '', from))
      from = at + text.length
      return { text, start: start + at }
    })
}
