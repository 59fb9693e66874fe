import type { DocentApi } from './docent-api.ts'

export type AnswerContent = {
  answer: string
  confidence: 'high' | 'medium' | 'low' | 'none'
  citations: { n: number; title: string; heading: string; url: string }[]
  /** Further notes of the server. */
  notes: string[]
}

const CONFIDENCE = /^Confidence: (high|medium|low|none)\./

/** Asks a server's `ask_question`. */
export async function askQuestion(
  api: Pick<DocentApi, 'callTool'>,
  slug: string,
  question: string,
  signal?: AbortSignal,
): Promise<AnswerContent> {
  const { lead, passages, notes } = await api.callTool(slug, 'ask_question', { question }, signal)
  const said = notes.flatMap((note) => CONFIDENCE.exec(note)?.[1] ?? [])[0] ?? 'none'
  return {
    answer: lead,
    confidence: said as AnswerContent['confidence'],
    citations: passages.map(({ n, title, heading, url }) => ({ n, title, heading, url })),
    notes: notes.filter((note) => !CONFIDENCE.test(note)),
  }
}
