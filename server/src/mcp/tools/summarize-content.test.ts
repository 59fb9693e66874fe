import { describe, expect, test } from 'vitest'
import { openShelf } from '../../../test/support/mcp/shelf.ts'

const oiling =
  '# Oiling\n\nOil keeps every sprocket turning for years. The weather is nice.\n\n## When\n\nSprockets need oil twice a year. Bring a hat.\n\n```sh\noil --all sprockets oil oil\n```\n\n## How\n\nPut one drop of oil on each sprocket: not more.\n\n### By hand\n\nA steady hand oils a sprocket in one minute.\n'
const shelf = openShelf(
  {
    label: 'Handbook',
    pages: [
      { url: 'https://w.example/docs/guide/oiling', markdown: oiling },
      { url: 'https://w.example/docs/guide/', markdown: '# Guide\n\nThe guide tells how sprockets are cared for.' },
      { url: 'https://w.example/docs/api/oil', markdown: '# oil()\n\nThe function oil puts oil on a sprocket.' },
    ],
  },
  {
    label: 'Manual',
    pages: [{ url: 'https://m.example/', markdown: '# Manual\n\nThe manual speaks of winches alone.' }],
  },
)
const ask = (args: object) => shelf.call('summarize_content', args)

describe('page summary', () => {
  test('lists the points of a page in order, verbatim', async () => {
    const { text, structured } = await ask({ url: 'https://w.example/docs/guide/oiling' })
    expect(text).toMatch(
      /^\[1\] Oiling\nSource: https:\/\/w\.example\/docs\/guide\/oiling#oiling\n\n- Oil keeps every sprocket turning for years\./,
    )
    expect(structured.of).toBe('page')
    expect(structured.results.map(({ heading }: any) => heading)).toEqual(['', 'When', 'How', 'How › By hand'])
    for (const { sentences } of structured.results) for (const each of sentences) expect(oiling).toContain(each)
  })

  test('prefers points near the top of the page if there are too many', async () => {
    expect((await ask({ url: 'w.example/docs/guide/oiling#how' })).structured.results).toMatchObject([
      { heading: 'How' },
      { heading: 'How › By hand' },
    ])
  })

  test('refuses a page that is not indexed, and suggests similar ones', async () => {
    expect(await shelf.fail('summarize_content', { url: 'https://w.example/docs/oiling' })).toMatch(
      /No page with the address .* is indexed\. Pages like it: .*guide\/oiling/,
    )
  })
})

test('summarizes a topic from all pages that mention it', async () => {
  const { structured, text } = await ask({ topic: 'oil a sprocket' })
  expect(structured.of).toBe('topic')
  expect(new Set(structured.results.map(({ title }: any) => title))).toEqual(new Set(['Oiling', 'oil()']))
  expect(text).toContain('- The function oil puts oil on a sprocket.')
  expect(text).not.toContain('winches')
})

test('summarizes a source by its parts', async () => {
  const { structured, text } = await ask({ source: 'Handbook' })
  expect(structured).toMatchObject({
    of: 'source',
    results: [
      {
        path: '/docs/guide',
        pages: 2,
        sentences: ['The guide tells how sprockets are cared for.'],
        also: [{ title: 'Oiling' }],
      },
      { path: '/docs/api', pages: 1, also: [] },
    ],
  })
  expect(text).toContain('2 pages under /docs/guide')
  expect((await ask({ url: 'https://w.example/' })).structured.of).toBe('source')
})

test('continues the points on the next page', async () => {
  const first = await ask({ url: 'https://w.example/docs/guide/oiling', limit: 3 })
  const next = await ask({ url: 'https://w.example/docs/guide/oiling', limit: 3, cursor: first.structured.nextCursor })
  expect(next.structured.results).toMatchObject([{ rank: 4, heading: 'How › By hand' }])
})

test('reports a page without prose', async () => {
  expect((await ask({ topic: 'zzzz' })).text).toContain('[note] There is nothing to summarize')
})

test.each([
  [{}, 'Give "topic", the "url" of a page, or a "source" to summarize. The sources are: Handbook, Manual.'],
  [{ source: 'nope' }, 'There is no source "nope"'],
  [{ topic: 'x', limit: 41 }, '"limit" must be a whole number of 1 to 40'],
])('refuses the arguments %j', async (args, sentence) => {
  expect(await shelf.fail('summarize_content', args)).toContain(sentence)
})

test('omits bare links and introductions, unless there is nothing else', async () => {
  const url = 'https://n.example/start'
  const markdown =
    '# Start\n\n[Using the sprocket on the command line of old machines](https://n.example/cli)\n\nThis page tells how a sprocket is started.\n\n## Code\n\nTo start a sprocket on any machine, run the following:\n\n```sh\nstart\n```\n\n- [Sprockets are easy to start, whatever people say](https://n.example/easy)\n'
  const { structured } = await openShelf({ pages: [{ url, markdown }] }).call('summarize_content', { url })
  expect(structured.results.map(({ sentences }: any) => sentences)).toEqual([
    ['This page tells how a sprocket is started.'],
    ['To start a sprocket on any machine, run the following:'],
  ])
})

test('omits titles in bold', async () => {
  const url = 'https://n.example/wheels'
  const markdown =
    '# Wheels\n\n**Using sprockets and turning the wheels of machines**\n\nSprockets turn wheels by their teeth.\n'
  const { structured } = await openShelf({ pages: [{ url, markdown }] }).call('summarize_content', { url })
  expect(structured.results[0].sentences).toEqual(['Sprockets turn wheels by their teeth.'])
})
