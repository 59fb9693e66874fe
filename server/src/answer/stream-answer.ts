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

/** Passes on the verified paragraphs of a model's answer as they are completed, unless more is dropped than kept. */
export function streamAnswer({ verify, passages, confidence, isUsable, onPiece }: Deps) {
  let sent = ''
  let cited = 0
  return {
    /** Passes on the whole paragraphs of the text that are verified and not passed on yet. */
    write(text: string): void {
      const verified = verify(wholeParagraphs(text))
      if (!isUsable(verified)) return
      const { answer, citations } = composeWritten(verified, passages, confidence)
      // Later paragraphs only add to an answer. If one ever changed what was sent, the end of the call corrects it.
      if (!answer.startsWith(sent) || answer.length === sent.length) return
      const added = citations.slice(cited).map(({ n, title, heading, url }) => ({ n, title, heading, url }))
      onPiece({ kind: 'text', text: answer.slice(sent.length), citations: added })
      sent = answer
      cited = citations.length
    },
    /** Withdraws the pieces passed on so far. */
    restart(): void {
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
