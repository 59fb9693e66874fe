import { z } from 'zod'
import { ModelError } from './chat-model.ts'
import { type ModelEndpoint, postToModel, withRetry } from './model-endpoint.ts'
import { rememberRecent } from '#lib/objects.ts'

/** An embedding model. `embed` throws `ModelError`. */
export type EmbeddingModel = {
  /** Model name. Vectors of different models cannot be compared. */
  name: string
  /** Returns one vector per text, in order, all of the same length. */
  embed(texts: readonly string[], options?: EmbedOptions): Promise<Embedded>
}

export type EmbedOptions = {
  signal?: AbortSignal | undefined
  /** Milliseconds for all texts. Unlimited by default. */
  totalMs?: number
  /** Kind of the texts. Questions have priority, and some models need to know the kind. */
  kind?: TextKind
}

export type TextKind = 'question' | 'passage'

export type Embedded = { vectors: Float32Array[]; tokens: number }

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

/** Creates a cached embedder of questions, with vectors of length 1, or null without a model. Never rejects. */
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
    if (before === undefined && clock() < pausedUntil) return null
    const vector = before ?? embed(query, accountId)
    rememberRecent(known, query, vector, REMEMBERED)
    return vector
  }
}

function unit(vector: Float32Array | undefined): Float32Array {
  const length = Math.hypot(...(vector ?? []))
  if (vector === undefined || length === 0) throw new ModelError('malformed', 'The model sent a vector of length 0.')
  return vector.map((value) => value / length)
}

const Answer = z.object({
  data: z.array(z.object({ index: z.number().int().min(0).optional(), embedding: z.array(z.number()).min(1) })),
  usage: z.object({ total_tokens: z.number() }).nullish(),
})

/** For a batch of passages. Questions have a shorter limit. */
const TOTAL_MS = 60_000

/** OpenAI's embeddings API, which most other providers implement too. */
export function createEmbeddingModel(endpoint: ModelEndpoint): EmbeddingModel {
  const { apiKey, model } = endpoint
  return {
    name: model,
    embed: (texts, { signal, totalMs = TOTAL_MS } = {}) =>
      withRetry({ totalMs, signal }, async (leftMs) => {
        const { bytes } = await postToModel(endpoint, {
          path: '/embeddings',
          headers: apiKey ? { authorization: `Bearer ${apiKey}` } : {},
          body: { model, input: texts, encoding_format: 'float' },
          totalMs: leftMs,
          signal,
        })
        return readAnswer(bytes, texts)
      }),
  }
}

function readAnswer(bytes: Uint8Array, texts: readonly string[]) {
  const { data, usage } = parse(bytes)
  const vectors = new Array<Float32Array>(texts.length)
  for (const [place, { index, embedding }] of data.entries()) vectors[index ?? place] = Float32Array.from(embedding)
  const length = vectors[0]?.length
  const fits = data.length === texts.length && vectors.length === texts.length
  // `every` would skip the holes left by a duplicate index.
  if (!fits || Array.from(vectors).some((vector) => vector?.length !== length || !vector.every(Number.isFinite))) {
    throw new ModelError('malformed', 'The model sent other vectors than it was asked for.')
  }
  const characters = texts.reduce((sum, text) => sum + text.length, 0)
  return { vectors, tokens: usage?.total_tokens ?? Math.ceil(characters / 4) }
}

function parse(bytes: Uint8Array): z.infer<typeof Answer> {
  try {
    return Answer.parse(JSON.parse(new TextDecoder().decode(bytes)))
  } catch (cause) {
    throw new ModelError('malformed', 'The model sent vectors that are not understood.', { cause })
  }
}
