import { streamText } from './stream-text.ts'

const TYPE = 'application/json'
/** Parts that are looked at before streaming: those of a list of one slice, and one more. */
const PARTS_AHEAD = 3

/**
 * A JSON array whose items come in slices, written as `JSON.stringify` writes all of them. A list of one slice is sent
 * whole, with its length, and a longer one while it is read.
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
