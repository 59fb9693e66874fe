import { z } from 'zod'
import type { EmbeddingModel } from './embedding-model.ts'
import { ModelError } from './model-error.ts'
import { type ModelEndpoint, postToModel } from './model-endpoint.ts'
import { withRetry } from './with-retry.ts'

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
