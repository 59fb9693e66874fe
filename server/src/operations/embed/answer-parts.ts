import type { AnswerPart } from '@docent/contract/operations/embed'
import type { AnswerEmbedded, AnswerPiece, LoggedAnswer } from '#answer/answer.ts'
import { toDocentError } from '#errors.ts'
import { itemsWhile } from '#lib/items-while.ts'

/**
 * The first item goes out before the work begins, so that the widget can show that the question arrived. An answer that
 * a model writes goes out in pieces. The last item is the finished answer, which replaces the pieces if it differs.
 */
export async function* answerParts(answer: AnswerEmbedded, signal: AbortSignal): AsyncGenerator<AnswerPart> {
  yield { type: 'begin' }
  try {
    const live = itemsWhile<Report, LoggedAnswer>((push) =>
      answer(signal, (message, piece) => push({ message, piece })),
    )
    const sent = { text: '', citations: 0 }
    let next = await live.next()
    for (; !next.done; next = await live.next()) yield* livePart(next.value, sent)
    yield* lastParts(next.value, sent)
  } catch (error) {
    signal.throwIfAborted()
    const { code, message } = toDocentError(error)
    if (code === 'internal') throw error
    yield { type: 'error', message }
  }
}

type Report = { message: string; piece: AnswerPiece | undefined }
type Sent = { text: string; citations: number }

function* livePart({ message, piece }: Report, sent: Sent): Generator<AnswerPart> {
  yield { type: 'progress', message }
  if (piece?.kind === 'restart') {
    Object.assign(sent, { text: '', citations: 0 })
    yield { type: 'restart' }
  } else if (piece) {
    for (const citation of piece.citations) yield { type: 'citation', ...citation }
    yield { type: 'text', text: piece.text }
    sent.text += piece.text
    sent.citations += piece.citations.length
  }
}

function* lastParts(answer: LoggedAnswer, sent: Sent) {
  const { citations, parts, outcome, confidence, followUps, remark, call } = answer
  const goesOn = parts.join('').startsWith(sent.text)
  if (!goesOn) yield { type: 'restart' } satisfies AnswerPart
  for (const citation of citations.slice(goesOn ? sent.citations : 0))
    yield { type: 'citation', ...citation } satisfies AnswerPart
  let known = goesOn ? sent.text.length : 0
  let space = ''
  for (const part of parts) {
    const text = space + part.slice(known)
    known = Math.max(0, known - part.length)
    space = text.trim() === '' ? text : ''
    if (space === '' && text !== '') yield { type: 'text', text } satisfies AnswerPart
  }
  yield {
    type: 'end',
    outcome,
    confidence,
    followUps,
    ...(remark === null ? {} : { remark }),
    call,
  } satisfies AnswerPart
}
