import { streamText } from './stream-text.ts'

const TYPE = 'application/json'
/** Parts buffered before streaming: those of a one-slice list, plus one. */
const PARTS_AHEAD = 3

/**
 * Sends slices of items as one JSON array, byte for byte like `JSON.stringify`. A list of one slice has a content
 * length. Longer lists are streamed.
 */
export async function answerList(slices: AsyncIterable<readonly unknown[]>, ended: AbortController): Promise<Response> {
  const parts = partsOf(slices)
  const ahead: string[] = []
  while (ahead.length < PARTS_AHEAD) {
    const { done, value } = await parts.next()
    if (done) return new Response(ahead.join(''), { headers: { 'content-type': TYPE, 'cache-control': 'no-store' } })
    ahead.push(value)
  }
  return streamText(concat(ahead, parts), { type: TYPE, ended })
}

async function* partsOf(slices: AsyncIterable<readonly unknown[]>): AsyncGenerator<string> {
  let before = '['
  for await (const slice of slices) {
    if (slice.length === 0) continue
    yield before + JSON.stringify(slice).slice(1, -1)
    before = ','
  }
  yield before === '[' ? '[]' : ']'
}

async function* concat(ahead: readonly string[], rest: AsyncGenerator<string>): AsyncGenerator<string> {
  yield* ahead
  yield* rest
}
