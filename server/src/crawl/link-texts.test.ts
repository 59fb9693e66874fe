import { describe, expect, test } from 'vitest'
import { contentTexts, tellingText } from './link-texts.ts'
import { collectNavigation } from './navigation.ts'

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
