import { removeSpans } from '#lib/remove-spans.ts'
import { scanWords } from '#search/analyse/scan-words.ts'
import { isStopWord } from '#search/analyse/stop-words.ts'
import { withoutFences } from '../fences.ts'

/** A sentence of a text, verbatim but for line breaks. */
export type KeySentence = { text: string; worth: number; index: number }

/** Shorter ones say too little by themselves, and longer ones too much. */
const LEAST = 30
const MOST = 400
/** The first sentence of a section mostly says what it is about. */
const FIRST = 1.6
const SECOND = 1.2

/** How often each word stands in a text: what a text speaks of most is what it is about (Luhn 1958). */
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

/** The sentences of a Markdown text that say the most by these weights, best first. Code, tables and headings are left out. */
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
  // What only introduces something says half of it.
  if (text.endsWith(':')) sum /= 2
  // Added before dividing, so that short sentences of one frequent word do not win, and every sentence counts for something.
  return (sum + 0.5) / (words + 8)
}

/** Items of lists end without a full stop; a few words without one are a label. */
function isWhole(sentence: string): boolean {
  return /[.!?。！？:)`*]$/u.test(sentence) || sentence.split(' ').length >= 7
}

/** What is left of a sentence when the addresses of its links are taken out. */
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
