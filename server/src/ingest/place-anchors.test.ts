import { expect, test } from 'vitest'
import { placeAnchors } from './place-anchors.ts'

const chunk = (start: number) => ({ start, end: start + 10, headings: [], anchor: 'a-heading', code: [] })

test('a passage has the last anchor at or before its beginning', () => {
  const anchors = [
    { offset: 5, anchor: 'page=1' },
    { offset: 20, anchor: 'page=2' },
    { offset: 22, anchor: 'page=3' },
  ]
  const placed = placeAnchors([0, 5, 19, 20, 40].map(chunk), anchors)
  expect(placed.map(({ anchor }) => anchor)).toEqual([null, 'page=1', 'page=1', 'page=2', 'page=3'])
})

test('the anchors of headings that a passage begins with go as well', () => {
  const [placed] = placeAnchors([{ ...chunk(0), above: [{ start: 0, anchor: 'above' }] }], [])
  expect(placed).toEqual({ ...chunk(0), anchor: null })
})

test('an empty list takes the anchors of headings away, which lead nowhere in such a document', () => {
  expect(placeAnchors([chunk(0)], [])).toMatchObject([{ anchor: null }])
})
