import { withFences } from '#search/close-fences.ts'
import { ModelError } from '#models/model-error.ts'
import type { ChatModel } from '#models/chat-model.ts'
import type { RemarkedAnswer } from './answer.ts'
import { composeUnanswered } from './compose.ts'
import { composeWritten } from './compose-written.ts'
import { answerFromPassages } from './extractive.ts'
import type { Found } from './found.ts'
import { questionTerms, termsOf } from './terms.ts'
import { type Verified, verifyAnswer } from './verify-answer.ts'
import { withholdInjections } from './withhold.ts'
import { NOT_ANSWERED, writePrompt } from './write-prompt.ts'

/** Tokens of an answer: about 500 words with an example, plus the reasoning tokens of some models. */
const MAX_TOKENS = 2_000
/** Attempts to get a usable answer. */
const TRIES = 2

type Deps = {
  model: ChatModel
  /** Receives the reason for rejecting the model's answer. */
  onFailure: (error: unknown) => void
}

/**
 * Answers a question with a model, from the same passages as the extractive answer. Drops statements that the passages
 * do not support. Falls back to the extractive answer, with a remark, if the model fails or its answer is unusable
 * twice. Rejects only with the signal's reason.
 */
export async function answerByModel(
  { model, onFailure }: Deps,
  question: string,
  found: Found,
  signal?: AbortSignal,
): Promise<RemarkedAnswer> {
  const given = withFences(found.passages)
  const extractive = answerFromPassages(question, found)
  const shown = withholdInjections(given).filter(({ passage }) => passage !== '')
  if (shown.length === 0) return { ...extractive, isExtractive: true }
  try {
    for (let tries = 1; tries <= TRIES; tries++) {
      const prompt = writePrompt(question, shown, { again: tries > 1 })
      const { text, isWhole } = await model.complete({ ...prompt, maxTokens: MAX_TOKENS }, signal)
      if (saysUnanswered(text)) return composeUnanswered(given)
      const verified = verifyAnswer(isWhole ? text : withoutLastSentence(text), question, shown)
      if (extractive.confidence === 'none' && isBeside(verified, question)) return composeUnanswered(given)
      if (isUsable(verified)) return composeWritten(verified, shown, extractive.confidence)
    }
    onFailure(new ModelError('malformed', 'The model twice wrote an answer that its passages do not bear out.'))
  } catch (error) {
    signal?.throwIfAborted()
    if (!(error instanceof ModelError)) throw error
    onFailure(error)
  }
  return {
    ...extractive,
    isExtractive: true,
    remark: 'The language model gave no answer that could be used; this one is quoted from the sources.',
  }
}

function saysUnanswered(text: string): boolean {
  const said = text.replaceAll(/<think>[\s\S]*?(?:<\/think>|$)/g, '').trim()
  return said.startsWith(NOT_ANSWERED) || (said.includes(NOT_ANSWERED) && said.length < 200)
}

/** True if the statements share no word with the question. Checked only where the sources seem not to cover it. */
function isBeside({ statements }: Verified, question: string): boolean {
  const asked = new Set(questionTerms(question))
  return statements.length > 0 && !statements.some(({ text }) => termsOf(text).some((term) => asked.has(term)))
}

/** Rejects an answer with more dropped than kept statements: removing them does not make the rest reliable. */
function isUsable({ statements, dropped }: Verified): boolean {
  return statements.some(({ kind }) => kind !== 'code') && dropped <= statements.length
}

/** Text truncated at the token limit ends in the middle of a sentence or a fence. */
function withoutLastSentence(text: string): string {
  const fences = text.match(/^[ \t]*```/gm)?.length ?? 0
  const prose = fences % 2 === 1 ? text.slice(0, text.lastIndexOf('```')) : text
  return prose.replace(/(?<![^.!?\n])[^.!?\n]*$/, '')
}
