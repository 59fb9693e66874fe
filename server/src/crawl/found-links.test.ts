import { expect, test, describe } from 'vitest'
import { batchesOf, contentTexts, tellingText, collectNavigation } from './found-links.ts'

const urls = (count: number, length: number) =>
  Array.from({ length: count }, (_, at) => ({ url: String(at).padEnd(length, 'x'), depth: 1 }))

test.each([
  [0, 100, []],
  [250, 100, [250]],
  [251, 100, [250, 1]],
  [80, 1_900, [78, 2]],
  [2, 75_000, [2]],
  [2, 75_001, [1, 1]],
  [2, 200_000, [1, 1]],
])('writes %i URLs of %i characters in transactions of %j', (count, length, sizes) => {
  const pages = urls(count, length)
  const batches = batchesOf(pages)
  expect(batches.map((batch) => batch.length)).toEqual(sizes)
  expect(batches.flat()).toEqual(pages)
})

const link = (url: string, text: string, inContent = true) => ({ url, text, inContent })

describe('link text', () => {
  test.each([
    ['routing hooks', 'routing hooks'],
    ['→ Routing hooks »', 'Routing hooks'],
    ['useEffect()', 'useEffect()'],
    ['Next.js', 'Next.js'],
    ['Next steps', 'Next steps'],
    ['Search syntax', 'Search syntax'],
    ['Edit mode', 'Edit mode'],
    ['配置', '配置'],
    ['a'.repeat(80), 'a'.repeat(80)],
  ])('keeps %j', (text, kept) => expect(tellingText(text)).toBe(kept))

  test.each(
    [
      'here|Click here|this page|Next|next page|« Previous|Read more…|Learn more about it|Edit this page on GitHub',
      'View source|#|¶|12|Skip to content|Table of contents|https://docs.example/x|Sign in|←',
    ]
      .join('|')
      .split('|'),
  )('rejects %j as generic', (text) => expect(tellingText(text)).toBeNull())

  test('rejects texts of 81 characters', () => expect(tellingText('a'.repeat(81))).toBeNull())
})

test('keeps at most two hundred content links per page, without links to itself and navigation', () => {
  const links = Array.from({ length: 201 }, (_, at) => link(`/p${at}`, `Page of ${at}`))
  expect(contentTexts([link('/me', 'Myself'), link('/nav', 'Menu entry', false), ...links], '/me')).toEqual(
    links.slice(0, 200).map(({ url, text }) => [url, text]),
  )
})

test('keeps links of at most 32,000 characters in total', () => {
  const links = Array.from({ length: 20 }, (_, at) => link(`/${at}-`.padEnd(2_000, 'x'), `Page of ${at}`))
  expect(contentTexts(links, '/me')).toHaveLength(16)
})

test('keeps at most three distinct navigation names per page', () => {
  const navigation = collectNavigation()
  for (const name of ['Guide', 'Guide', 'next', 'Guides', 'All guides', 'The guide'])
    navigation.note([link('/guide', name, false), link('/guide', 'In the text')])
  expect([...navigation.texts]).toEqual([['/guide', ['Guide', 'Guides', 'All guides']]])
})
