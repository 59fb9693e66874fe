import type { Passage } from '#search/passage.ts'
import type { AnswerPiece, Confidence } from './answer.ts'
import { composeWritten } from './compose.ts'
import type { Verified, Verifier } from './verify-answer.ts'

type Deps = {
  verify: Verifier
  passages: readonly Passage[]
  /** Confidence of the extractive answer. */
  confidence: Confidence
  isUsable: (verified: Verified) => boolean
  onPiece: (piece: AnswerPiece) => void
}

/** Passes on an answer while it is written. */
export type AnswerStream = {
  /** Passes on the whole paragraphs of the text that are verified and not passed on yet. Returns their statements. */
  write(text: string): number
  /** Withdraws the pieces passed on so far. */
  restart(): void
}

/**
 * Verifies the paragraphs of a model's answer as they are completed, and passes on what the passages bear out. As long
 * as more is dropped than kept, nothing is passed on.
 */
export function streamAnswer({ verify, passages, confidence, isUsable, onPiece }: Deps): AnswerStream {
  let sent = ''
  let cited = 0
  return {
    write(text) {
      const verified = verify(wholeParagraphs(text))
      if (!isUsable(verified)) return 0
      const { answer, citations } = composeWritten(verified, passages, confidence)
      // Later paragraphs only add to an answer. If one ever changed what was sent, the end of the call corrects it.
      if (!answer.startsWith(sent) || answer.length === sent.length) return verified.statements.length
      const added = citations.slice(cited).map(({ n, title, heading, url }) => ({ n, title, heading, url }))
      onPiece({ kind: 'text', text: answer.slice(sent.length), citations: added })
      sent = answer
      cited = citations.length
      return verified.statements.length
    },
    restart() {
      if (sent !== '') onPiece({ kind: 'restart' })
      sent = ''
      cited = 0
    },
  }
}

/** The text up to its last blank line that is outside a fence. */
function wholeParagraphs(text: string): string {
  let isCode = false
  let end = 0
  for (let start = 0; start < text.length;) {
    const at = text.indexOf('\n', start)
    if (at < 0) break
    const line = text.slice(start, at).trim()
    if (line.startsWith('```')) isCode = !isCode
    if (line === '' && !isCode) end = at
    start = at + 1
  }
  return text.slice(0, end)
}
