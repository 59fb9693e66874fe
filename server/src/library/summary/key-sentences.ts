import { removeSpans } from '#lib/text/remove-spans.ts'
import { scanWords } from '#search/analyse/scan-words.ts'
import { isStopWord } from '#search/analyse/stop-words.ts'
import { withoutFences } from '../fences.ts'

/** A sentence of a text, verbatim except for line breaks. */
export type KeySentence = { text: string; worth: number; index: number }

/** Bounds in characters: shorter sentences say too little, longer ones too much. */
const LEAST = 30
const MOST = 400
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
  const sentences = sentencesIn(markdown)
  return sentences
    .map((text, index) => ({
      text,
      index,
      worth: worthOf(text, weights) * (index === 0 ? FIRST : index === 1 ? SECOND : 1),
    }))
    .filter(({ worth }) => worth > 0)
    .toSorted((a, b) => b.worth - a.worth)
}

function worthOf(text: string, weights: ReadonlyMap<string, number>): number {
  let sum = 0
  let words = 0
  scanWords(text, 0, text.length, (start, end) => {
    words++
    sum += weights.get(text.slice(start, end).toLowerCase()) ?? 0
  })
  // An introduction to a list counts half.
  if (text.endsWith(':')) sum /= 2
  // Smoothing: short sentences of one frequent word do not win, and every sentence has a positive score.
  return (sum + 0.5) / (words + 8)
}

/** True for a full sentence. List items may lack a full stop, but a few words without one are a label. */
function isWhole(sentence: string): boolean {
  return /[.!?。！？:)`*]$/u.test(sentence) || sentence.split(' ').length >= 7
}

/** A sentence without its link targets. */
function visible(sentence: string): string {
  return removeSpans(sentence, { opening: /\]\(/g, closing: ')' })
}

function sentencesIn(markdown: string): string[] {
  return withoutFences(markdown)
    .split(/\n[ \t]*\n|\n(?=[ \t]*(?:[-*+]|\d+\.)[ \t])/)
    .map((block) => block.trim())
    .filter((block) => !/^(?:#|\||!\[|<|>\s*\[!)/.test(block))
    .flatMap((block) =>
      block
        .replace(/^(?:[-*+]|\d+\.|>)[ \t]+/, '')
        .replaceAll(/\s+/g, ' ')
        .split(/ (?<=[.!?][)\]"'*_]* )(?=[\p{Lu}`"'([*])|(?<=[。！？])/u),
    )
    .map((sentence) => sentence.trim())
    .filter((sentence) => !/^\W*(?:related|see also|note|tip|read more|more)\b[^.]{0,80}$/i.test(sentence))
    .filter((sentence) => visible(sentence).length >= LEAST && sentence.length <= MOST && isWhole(sentence))
}
