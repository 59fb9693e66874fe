import { describe, expect, test } from 'vitest'
import { contentTexts, tellingText } from './link-texts.ts'
import { collectNavigation } from './navigation.ts'

const link = (url: string, text: string, inContent = true) => ({ url, text, inContent })

describe('what a link says of its page', () => {
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
  ])('%j is kept', (text, kept) => expect(tellingText(text)).toBe(kept))

  test.each(
    [
      'here|Click here|this page|Next|next page|« Previous|Read more…|Learn more about it|Edit this page on GitHub',
      'View source|#|¶|12|Skip to content|Table of contents|https://docs.example/x|Sign in|←',
    ]
      .join('|')
      .split('|'),
  )('%j says nothing', (text) => expect(tellingText(text)).toBeNull())

  test('is too long from 81 characters on', () => expect(tellingText('a'.repeat(81))).toBeNull())
})

test('a page remembers two hundred links in its text, none to itself and none of its navigation', () => {
  const links = Array.from({ length: 201 }, (_, at) => link(`/p${at}`, `Page of ${at}`))
  expect(contentTexts([link('/me', 'Myself'), link('/nav', 'Menu entry', false), ...links], '/me')).toEqual(
    links.slice(0, 200).map(({ url, text }) => [url, text]),
  )
})

test('a page remembers links of 32,000 characters, and none beyond', () => {
  const links = Array.from({ length: 20 }, (_, at) => link(`/${at}-`.padEnd(2_000, 'x'), `Page of ${at}`))
  expect(contentTexts(links, '/me')).toHaveLength(16)
})

test('navigation has three names for a page at most, each once', () => {
  const navigation = collectNavigation()
  for (const name of ['Guide', 'Guide', 'next', 'Guides', 'All guides', 'The guide'])
    navigation.note([link('/guide', name, false), link('/guide', 'In the text')])
  expect([...navigation.texts]).toEqual([['/guide', ['Guide', 'Guides', 'All guides']]])
})
