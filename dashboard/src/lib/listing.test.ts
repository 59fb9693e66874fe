import { expect, test } from 'vitest'
import { NEWEST, byText, listItems, pageIn, partOfAnswer } from './listing.ts'

type Item = { name: string; createdAt: string; kind: string }

const ITEMS: Item[] = Array.from({ length: 45 }, (_, n) => ({
  name: `Manual ${n}${n === 7 ? ' über Größen' : ''}`,
  createdAt: `2026-01-${String((n % 28) + 1).padStart(2, '0')}T00:00:00.000Z`,
  kind: n % 2 === 0 ? 'even' : 'odd',
}))
const PLAN = {
  textOf: ({ name }: Item) => name,
  orders: [NEWEST, byText<Item>('name', 'By name', ({ name }) => name)],
  choices: [
    {
      name: 'kind',
      every: 'Every kind',
      options: ['even', 'odd'].map((value) => ({ value, title: value })),
      fits: ({ kind }: Item, value: string) => kind === value,
    },
  ],
  size: 20,
}
const list = (query: string, more: object = {}) => listItems(ITEMS, { ...PLAN, ...more }, new URLSearchParams(query))

test('the newest items come first, in pages', () => {
  const first = list('')
  expect(first).toMatchObject({ found: 45, page: 1, pages: 3, isNarrowed: false })
  expect(first.shown).toHaveLength(20)
  expect(first.shown[0]?.createdAt).toBe('2026-01-28T00:00:00.000Z')
  expect(list('page=3').shown).toHaveLength(5)
})

test.each(['page=4', 'page=999'])('%s is the last page', (query) => {
  expect(list(query)).toMatchObject({ page: 3 })
  expect(list(query).shown).toHaveLength(5)
})

test.each(['page=0', 'page=-1', 'page=1.5', 'page=x', 'page=', 'sort=unknown', 'kind=unknown'])(
  '%s in the address is ignored',
  (query) => {
    expect(list(query)).toMatchObject({ page: 1, found: 45, isNarrowed: false })
  },
)

test('a search finds items with all of its words, in any order, case and accents', () => {
  expect(list('search=GROSSEN+manual').found).toBe(0)
  expect(list('search=grÖßen+MANUAL').shown.map(({ name }) => name)).toEqual(['Manual 7 über Größen'])
  expect(list('search=uber').found).toBe(1)
  expect(list('search=++').isNarrowed).toBe(false)
  expect(list('search=zebra')).toMatchObject({ found: 0, page: 1, pages: 1, isNarrowed: true, shown: [] })
})

test('choices narrow the list down, and orders sort it', () => {
  expect(list('kind=odd').found).toBe(22)
  expect(list('kind=odd&search=manual+1').found).toBe(9)
  // Numbers in names count as numbers.
  expect(
    list('sort=name&page=1')
      .shown.map(({ name }) => name)
      .slice(1, 4),
  ).toEqual(['Manual 1', 'Manual 2', 'Manual 3'])
})

test('lists of one screen have parameters of their own', () => {
  expect(list('search=zebra', { prefix: 'a' }).found).toBe(45)
  expect(list('a-search=zebra', { prefix: 'a' }).found).toBe(0)
  expect(pageIn(new URLSearchParams('a-page=2'), 'a-page')).toBe(2)
})

test.each([
  [1, 25, 50, { answer: 1, from: 0 }],
  [2, 25, 50, { answer: 1, from: 25 }],
  [3, 25, 50, { answer: 2, from: 0 }],
  [5, 10, 50, { answer: 1, from: 40 }],
  [6, 10, 50, { answer: 2, from: 0 }],
  [7, 20, 20, { answer: 7, from: 0 }],
])('page %i of %i items is in an answer of %i', (page, size, answerSize, place) => {
  expect(partOfAnswer(page, size, answerSize)).toEqual(place)
})
