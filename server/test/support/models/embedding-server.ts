import { once } from 'node:events'
import { type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type EmbeddingServer = AsyncDisposable & {
  url: string
  /** Texts of each request, in order. */
  batches: string[][]
  models: string[]
  keys: (string | undefined)[]
  /** Replaces its answers. */
  misbehave: ((response: ServerResponse, texts: string[]) => void) | null
}

/** Dimensions of a vector. */
const DIMENSIONS = 24

/** Synonyms. */
const MEANS = new Map([
  ['feline', 'cat'],
  ['cats', 'cat'],
  ['nourishment', 'food'],
  ['eat', 'food'],
  ['precipitation', 'rain'],
  ['rains', 'rain'],
])

/** Implements OpenAI's embeddings API. The vector of a text counts its words by meaning. */
export async function startEmbeddingServer(): Promise<EmbeddingServer> {
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const { model, input } = JSON.parse(Buffer.concat(pieces).toString()) as { model: string; input: string[] }
      self.batches.push(input)
      self.models.push(model)
      self.keys.push(request.headers.authorization)
      if (self.misbehave) return self.misbehave(response, input)
      const data = input.map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text) }))
      response.setHeader('content-type', 'application/json')
      // The API allows items in any order.
      response.end(
        JSON.stringify({ object: 'list', data: data.toReversed(), model, usage: { total_tokens: input.length } }),
      )
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const self: EmbeddingServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    batches: [],
    models: [],
    keys: [],
    misbehave: null,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return self
}

function vectorOf(text: string): number[] {
  const vector = Array.from({ length: DIMENSIONS }, () => 0.01)
  for (const [word] of text.toLowerCase().matchAll(/[a-z]+/g)) {
    const meaning = MEANS.get(word) ?? word
    const weight = meaning === 'cat' || meaning === 'food' || meaning === 'rain' ? 4 : 0.5
    const at = [...meaning].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % DIMENSIONS, 7)
    vector[at] = (vector[at] ?? 0) + weight
  }
  return vector
}
