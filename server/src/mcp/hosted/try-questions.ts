import { DocentError } from '#errors.ts'
import type { ProposedQuestion } from '#documents/questions/propose-questions.ts'
import type { Store } from '#store/db.ts'
import { findServedServer, type ServedServer } from '#store/servers/served.ts'
import { findSourceById } from '#store/sources/sources.ts'
import { type StoredQuestion, type TriedQuestions, versionWithQuestions } from '#store/sources/questions.ts'
import { ToolError } from '../definition/tool-result.ts'
import type { ToolPool } from '../threads/tool-pool.ts'

/** Questions tried for each version of a source, at some 10 ms of processor time each, and kept. */
const TRIES = 24
const KEPT = 12

const RANK = { high: 0, medium: 1 }

type Deps = { store: Pick<Store, 'read'>; tools: Pick<ToolPool, 'run'> }

/**
 * Tries questions about a source that has just been published, in the threads that run tools, and returns those that are
 * answered, the surest first. Null if the version was tried before, the source is gone, or the threads have too much to do.
 */
export async function tryQuestions(
  { store, tools }: Deps,
  sourceId: string,
  signal: AbortSignal,
): Promise<TriedQuestions | null> {
  const source = await findSourceById(store.read, sourceId)
  if (!source || (await versionWithQuestions(store.read, sourceId)) === source.segments) return null
  const server = await findServedServer(store.read, source.serverId)
  if (!server) return null
  const proven: { question: StoredQuestion; confidence: 'high' | 'medium' }[] = []
  try {
    const proposals = await tools.run(server, 'proposals', { sourceId }, { signal })
    for (const proposed of proposals.slice(0, TRIES)) {
      if (proven.length >= KEPT) break
      const { question, url, title } = proposed
      const confidence = await prove(tools, server, proposed, signal)
      if (confidence) proven.push({ question: { question, url, title }, confidence })
    }
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof DocentError && error.code === 'too_busy') return null
    throw error
  }
  const inOrder = proven.toSorted((one, other) => RANK[one.confidence] - RANK[other.confidence])
  return { segments: source.segments, questions: inOrder.map(({ question }) => question) }
}

async function prove(tools: Deps['tools'], server: ServedServer, proposed: ProposedQuestion, signal: AbortSignal) {
  try {
    return await tools.run(server, 'proof', { proposed }, { signal })
  } catch (error) {
    // It took too long, or too much memory: the question is no good suggestion.
    if (error instanceof ToolError) return null
    throw error
  }
}
