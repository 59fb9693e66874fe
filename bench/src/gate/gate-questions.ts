import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A question over the frozen documents. */
export type GateQuestion = {
  kind: string
  question: string
  /** Places that answer it: `docs/webhooks.md#Events`, or a page without a heading. None: the documents do not. */
  places: string[]
  /** Wordings of the key fact. A right answer contains one of them. */
  facts: string[]
}

/** A copy of Docent's own documents that never changes, so that figures of different versions are comparable. */
export const FROZEN = join(import.meta.dirname, 'fixtures/docs')

export function readGateQuestions(): GateQuestion[] {
  return JSON.parse(readFileSync(join(import.meta.dirname, 'fixtures/questions.json'), 'utf8')) as GateQuestion[]
}

/** True if a text has a wording of the key fact, in any case and line breaks. */
export function hasFact({ facts }: Pick<GateQuestion, 'facts'>, text: string): boolean {
  const plain = plainText(text)
  return facts.some((fact) => plain.includes(plainText(fact)))
}

function plainText(text: string): string {
  return text.replaceAll(/[`*]/g, '').replaceAll(/\s+/g, ' ').toLowerCase()
}
