import type { LoggedCall } from '#store/calls/read-calls.ts'
import type { ServedServer } from '#store/servers/served.ts'
import type { PreviewedAnswer } from '#search/explain-search.ts'

export type AskedCall = Pick<LoggedCall, 'tool' | 'arguments' | 'error'>

/** A call that asks the question with a tool of the server. */
export function callFor({ tools }: Pick<ServedServer, 'tools'>, question: string): AskedCall {
  const isAsked = tools.includes('ask_question') || !tools.includes('search_docs')
  const [tool, name] = isAsked ? ['ask_question', 'question'] : ['search_docs', 'query']
  return { tool, arguments: JSON.stringify({ [name]: question }), error: null }
}

type Compared = Pick<AskedCall, 'tool'> & { before: PreviewedAnswer; after: PreviewedAnswer }

/** The answers to a question. `callId`: of the logged call that asked it. */
export function presentCompared(question: string, callId: string | null, { tool, before, after }: Compared) {
  const changes = before.text !== after.text
  return { question, tool, callId, changes, before: answerOf(before), after: answerOf(after) }
}

const answerOf = ({ text, confidence, cited }: PreviewedAnswer) => ({ text, confidence, cited })
