import type { EmbeddingModel } from './embedding-model.ts'
import { ModelError } from './model-error.ts'

/** Maximum wait for the vector of a question. Without one the search uses words only. */
const TIMEOUT_MS = 1_500
/** Pause after a failure, so that not every question waits for a timeout. */
const PAUSE_MS = 30_000
/** Maximum cached questions, about 3 MB. */
const REMEMBERED = 500
/** Maximum characters of a question. */
const MOST = 2_000

type Deps = {
  model: EmbeddingModel
  clock: () => number
  /** Called on a failure, and with the tokens of each question. Must not throw. */
  onFailure: (error: unknown) => void
  onUsage: (accountId: string, tokens: number) => void
}

export type QueryEmbedder = (query: string, accountId: string) => Promise<Float32Array | null>

/**
 * Creates a cached embedder of questions. Vectors have length 1. Returns null while the model is unavailable. Never
 * rejects.
 */
export function createQueryEmbedder({ model, clock, onFailure, onUsage }: Deps): QueryEmbedder {
  const known = new Map<string, Promise<Float32Array | null>>()
  let pausedUntil = 0

  const embed = async (query: string, accountId: string): Promise<Float32Array | null> => {
    try {
      const { vectors, tokens } = await model.embed([query], { totalMs: TIMEOUT_MS, kind: 'question' })
      onUsage(accountId, tokens)
      return unit(vectors[0])
    } catch (error) {
      known.delete(query)
      pausedUntil = clock() + PAUSE_MS
      onFailure(error)
      return null
    }
  }

  return async (given, accountId) => {
    const query = given.slice(0, MOST)
    const before = known.get(query)
    if (before !== undefined) {
      known.delete(query)
      known.set(query, before)
      return before
    }
    if (clock() < pausedUntil) return null
    const vector = embed(query, accountId)
    known.set(query, vector)
    for (const oldest of known.keys()) {
      if (known.size <= REMEMBERED) break
      known.delete(oldest)
    }
    return vector
  }
}

function unit(vector: Float32Array | undefined): Float32Array {
  const length = Math.hypot(...(vector ?? []))
  if (vector === undefined || length === 0) throw new ModelError('malformed', 'The model sent a vector of length 0.')
  return vector.map((value) => value / length)
}
