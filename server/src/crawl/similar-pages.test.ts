import { describe, expect, test } from 'vitest'
import { wordHashes } from '#readers/text-hash.ts'
import { createSimilarPages } from './similar-pages.ts'
import { TRAP_TEXTS, referencePages, randomTexts } from '../../test/support/sites/page-texts.ts'

const page = (at: number, { text = '', shape = null as string | null, path = '/docs/' } = {}) => ({
  url: `https://a.dev${path}${at}`,
  shape,
  words: wordHashes(text),
})
/** Judges `count` pages in order. */
function led(count: number, make: (at: number) => ReturnType<typeof page>, links: (at: number) => string[]) {
  const similarPages = createSimilarPages()
  return Array.from({ length: count }, (_, at) => similarPages.judge(make(at), links(at)))
}
const toNext = (at: number) => [`https://a.dev/docs/${at + 1}`, `https://a.dev/docs/x${at}`]

describe('pages of the same shape', () => {
  test('follows links of sixty pages of the same shape, and of pages without a shape', () => {
    const judged = led(61, (at) => page(at, { shape: 'a' }), toNext)
    expect(judged.map(({ leadsOn }) => leadsOn).lastIndexOf(true)).toBe(59)
    expect(judged[60]).toEqual({ leadsOn: false, isMadeUp: true })
    expect(led(150, (at) => page(at), toNext).every(({ leadsOn }) => leadsOn)).toBe(true)
  })

  test('keeps pages of the same shape if they link only to known pages', () => {
    const judged = led(
      70,
      (at) => page(at, { shape: 'a' }),
      () => ['https://a.dev/docs/'],
    )
    expect(judged.filter(({ isMadeUp }) => isMadeUp)).toEqual([])
  })
})

describe('pages of random words', () => {
  test.each(['letters', 'list of 20', 'list of 200', 'list of 2000', 'frequencies', 'template'] as const)(
    'stops following links of random pages: %s',
    (kind) => {
      const text = randomTexts(kind)
      const judged = led(400, (at) => page(at, { text: text() }), toNext)
      // 60 pages to learn from, and 100 to be judged by.
      const first = judged.findIndex(({ leadsOn }) => !leadsOn)
      expect(first).toBe(159)
      expect(judged.slice(first).every(({ leadsOn, isMadeUp }) => !leadsOn && isMadeUp)).toBe(true)
    },
  )

  test.each(Object.entries({ ...TRAP_TEXTS, template: randomTexts('template') }))(
    'stops following links of a trap with %s, named by codes',
    (_, text) => {
      const codes = TRAP_TEXTS['soft 404'] ?? text
      const judged = led(200, (at) => page(at, { text: `${text()} ${codes()}` }), toNext)
      expect(judged.findIndex(({ leadsOn }) => !leadsOn)).toBe(159)
    },
  )

  test('stops following links of a trap that has a folder for each page', () => {
    const text = randomTexts('letters')
    const judged = led(200, (at) => page(at, { text: text(), path: `/${at % 40}/` }), toNext)
    expect(judged.findIndex(({ leadsOn }) => !leadsOn)).toBe(159)
  })

  test('follows links of random pages to listed pages', () => {
    const similarPages = createSimilarPages()
    const text = randomTexts('letters')
    similarPages.list(Array.from({ length: 500 }, (_, at) => toNext(at)).flat())
    const judged = Array.from({ length: 400 }, (_, at) => similarPages.judge(page(at, { text: text() }), toNext(at)))
    expect(judged.every(({ leadsOn, isMadeUp }) => leadsOn && !isMadeUp)).toBe(true)
  })

  test('distinguishes random pages from real pages in another part of the site', () => {
    const similarPages = createSimilarPages()
    const text = randomTexts('letters')
    const pages = referencePages(400)
    const real = pages.map((markdown, at) => {
      similarPages.judge(page(at, { text: text(), path: '/made-up/' }), [`https://a.dev/made-up/${at + 1}`])
      return similarPages.judge(page(at, { text: markdown.text }), toNext(at))
    })
    expect(real.every(({ leadsOn, isMadeUp }) => leadsOn && !isMadeUp)).toBe(true)
  })
})

test('follows 2,500 real pages of one template that each link to an unknown page', () => {
  const pages = referencePages(2_500)
  const judged = led(pages.length, (at) => page(at, { text: pages[at]?.text ?? '' }), toNext)
  expect(judged.filter(({ leadsOn }) => !leadsOn)).toEqual([])
})
