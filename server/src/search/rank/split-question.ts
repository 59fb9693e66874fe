import { markdownBlocks } from '#documents/model/markdown-blocks.ts'
import { isStopWord } from '#search/analyse/stop-words.ts'

/** The sentences that ask, and the other prose. Code and stack traces are in neither. */
export type SplitQuestion = { asked: string; rest: string }

/** Characters of a text that is one question, and is not looked at further. */
const SHORT = 120
/** Content words that the asking sentences need, so that `Any ideas?` is not all that is asked. */
const LEAST_WORDS = 2

/** Indented code, and the frames of a stack trace. */
const CODE_LINE = /^(?: {4}|\t)|^\s*(?:at \S|File "|Traceback \()/
const SENTENCE_END = /(?<=[.?!])\s+/
const ASKS =
  /[?？]["')\]]?$|^(?:are|can|could|did|do|does|has|have|how|is|should|was|were|what|when|where|which|who|why|will|would)\b|\b(?:how to|need(?:ed)? to|tried to|try to|trying to|unable to|want(?:ed)? to)\b/i

/**
 * Splits the text of a question with code, as users write in forums: what to search with are its title and the
 * sentences that ask, since names of variables are rarer words than those of the question. A text without code is asked
 * as a whole, because its prose describes what is asked (251 questions of a forum: nDCG@10 .293, split .285).
 */
export function splitQuestion(text: string): SplitQuestion {
  const whole = { asked: text, rest: '' }
  if (text.length < SHORT) return whole
  const { paragraphs, hasCode } = proseOf(text)
  if (!hasCode) return whole
  const sentences = paragraphs.flatMap((lines, place) => {
    const own = lines.flatMap((line) => line.split(SENTENCE_END))
    const isTitle = place === 0 && paragraphs.length > 1 && own.length === 1 && !/[.:,;]$/.test(own[0] ?? '')
    return own.map((sentence) => ({ sentence, asks: isTitle || ASKS.test(sentence) }))
  })
  const join = (asks: boolean) => sentences.flatMap((one) => (one.asks === asks ? one.sentence : [])).join('\n')
  const [asked, rest] = [join(true), join(false)]
  if (countContent(asked) >= LEAST_WORDS) return { asked, rest }
  return countContent(asked + rest) < LEAST_WORDS ? whole : { asked: `${asked}\n${rest}`, rest: '' }
}

/** Lines of prose by paragraph. */
function proseOf(text: string): { paragraphs: string[][]; hasCode: boolean } {
  const blocks = markdownBlocks(text)
  const paragraphs = blocks.flatMap(({ kind, start, end }) =>
    kind === 'code' ? [] : [text.slice(start, end).split('\n')],
  )
  const prose = paragraphs.map((lines) => lines.filter((line) => !CODE_LINE.test(line)).map((line) => line.trim()))
  return {
    paragraphs: prose.filter((lines) => lines.length > 0),
    hasCode:
      blocks.some(({ kind }) => kind === 'code') ||
      paragraphs.some((lines, at) => lines.length > (prose[at]?.length ?? 0)),
  }
}

function countContent(text: string): number {
  return (text.match(/[\p{L}\p{N}_]+/gu) ?? []).filter((word) => !isStopWord(word)).length
}
