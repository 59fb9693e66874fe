import { expect, test } from 'vitest'
import { fitList, fitResult, omitMembers } from './call-tool.ts'

test('does not change a result that fits', () => {
  const body = { a: [1, 2], b: null }
  expect(fitResult(body, 100)).toEqual({ text: JSON.stringify(body), remarks: [] })
})

test('cuts the longest lists until the result fits, and says of how many entries', () => {
  const long = Array.from({ length: 1_000 }, (_, n) => ({ id: `source ${n}` }))
  const body = { name: 'A', usage: { sources: long }, tools: long.slice(0, 500) }
  const { text, remarks } = fitResult(body, 10_000)
  expect(text.length).toBeLessThanOrEqual(10_000)
  const cut = JSON.parse(text) as typeof body
  expect(cut.usage.sources).toEqual(long.slice(0, cut.usage.sources.length))
  expect(remarks).toContain(
    `The list usage.sources is cut: it has 1,000 entries, of which ${cut.usage.sources.length} are shown.`,
  )
  expect(body.usage.sources).toHaveLength(1_000)
})

test('cuts nothing if there is no list', () => {
  const body = { text: 'x'.repeat(200) }
  expect(fitResult(body, 100).text).toHaveLength(JSON.stringify(body).length)
})

test('reads a list in slices only until it is full', async () => {
  let slices = 0
  async function* endless() {
    for (;;) yield [(slices += 1), slices]
  }
  const { text, remarks } = await fitList(endless(), (item) => ({ item }), 100)
  expect(text.length).toBeLessThanOrEqual(101)
  expect(remarks).toEqual([
    `The list is cut: it has more than these ${(JSON.parse(text) as unknown[]).length} entries.`,
  ])
  expect(slices).toBeLessThan(20)
})

test('omits members by path, also in lists', () => {
  const body = { a: 1, list: [{ b: 2, c: { d: 3, e: 4 } }], c: 5 }
  expect(omitMembers(body, ['a', 'list.b', 'list.c.d', 'none.of.these'])).toEqual({ list: [{ c: { e: 4 } }], c: 5 })
  expect(omitMembers([{ a: 1, b: 2 }], ['a'])).toEqual([{ b: 2 }])
})
