import { expect, test } from 'vitest'
import { fakeMcp, fakePassage, jsonOf, legacy } from '../../../test/support/mcp/mcp-fakes.ts'
import type { SearchRequest } from '#search/passage.ts'
import { writeCursor } from '../arguments/shared-arguments.ts'
import { MOST_PASSAGES } from './search-answer.ts'

type Answer = {
  result: { content: { text: string }[]; structuredContent: { results: unknown[]; nextCursor?: string } }
}

/** Returns the page of results at `offset`, from unlimited sources. */
async function pageFrom(offset: number) {
  const asked: SearchRequest[] = []
  const { send } = fakeMcp({
    server: { structuredOutput: true },
    context: {
      search: async (request) => {
        asked.push(request)
        const from = request.offset ?? 0
        const passages = Array.from({ length: request.limit }, (_, at) => fakePassage({ rank: from + at + 1 }))
        const rest = { repaired: [], words: [], agreement: 1, embeddings: 'off' as const }
        return { passages, nextOffset: from + request.limit, ...rest }
      },
    },
  })
  const cursor = writeCursor(offset, JSON.stringify(['oil', {}]))
  const call = { name: 'search_docs', arguments: { query: 'oil', limit: 20, cursor } }
  const { result } = jsonOf(await send(legacy('tools/call', call))) as Answer
  return { asked, text: result.content[0]?.text ?? '', ...result.structuredContent }
}

test('continues a search up to the passage limit', async () => {
  const { asked, results, nextCursor } = await pageFrom(MOST_PASSAGES - 21)
  expect([asked[0]?.limit, results.length]).toEqual([20, 20])
  expect(nextCursor).toBe(writeCursor(MOST_PASSAGES - 1, JSON.stringify(['oil', {}])))
})

test('ends a search at the passage limit with a note', async () => {
  const { asked, results, nextCursor, text } = await pageFrom(MOST_PASSAGES - 1)
  expect([asked[0]?.limit, results.length, nextCursor]).toEqual([1, 1, undefined])
  expect(text).toContain(`Of one search no more than ${MOST_PASSAGES} passages are given.`)
})

test.each([MOST_PASSAGES, 999_999])('does not search for passages from %d on', async (offset) => {
  const { asked, results, nextCursor, text } = await pageFrom(offset)
  expect([asked, results, nextCursor]).toEqual([[], [], undefined])
  expect(text).toContain(`Of one search no more than ${MOST_PASSAGES} passages are given.`)
})
