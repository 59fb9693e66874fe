import { expect, test } from 'vitest'
import { placeAnchors } from './place-anchors.ts'

const chunk = (start: number) => ({ start, end: start + 10, headings: [], anchor: 'a-heading', code: [] })

test('gives each passage the last anchor at or before its start', () => {
  const anchors = [
    { offset: 5, anchor: 'page=1' },
    { offset: 20, anchor: 'page=2' },
    { offset: 22, anchor: 'page=3' },
  ]
  const placed = placeAnchors([0, 5, 19, 20, 40].map(chunk), anchors)
  expect(placed.map(({ anchor }) => anchor)).toEqual([null, 'page=1', 'page=1', 'page=2', 'page=3'])
})

test('removes the anchors of leading headings', () => {
  const [placed] = placeAnchors([{ ...chunk(0), above: [{ start: 0, anchor: 'above' }] }], [])
  expect(placed).toEqual({ ...chunk(0), anchor: null })
})

test('removes heading anchors if the list of anchors is empty', () => {
  expect(placeAnchors([chunk(0)], [])).toMatchObject([{ anchor: null }])
})
