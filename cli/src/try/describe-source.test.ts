import pc from 'picocolors'
import { describe, expect, test } from 'vitest'
import { NEW_SOURCE } from '@docent/contract/reference/examples/sources'
import { describeSkipped, describeSource } from './describe-source.ts'
import type { Source } from './docent-api.ts'

const plain = pc.createColors(false)

function source(given: Partial<Source>): Source {
  return {
    id: 'src_1',
    url: 'https://docs.example.org/',
    type: 'website',
    typeReason: null,
    label: null,
    ...NEW_SOURCE,
    crawlStatus: 'crawling',
    ...given,
  }
}

describe('progress line of a source', () => {
  test.each([
    ['shows that it waits', { crawlStatus: 'pending' } as const, null, 'Waiting'],
    ['shows that nothing was found yet', {}, null, 'Reading  looking for pages'],
    ['says that a source has no pages', { crawlStatus: 'complete' } as const, null, 'Ready'],
    [
      'says why it failed',
      { crawlStatus: 'error', crawlError: 'The site is down' } as const,
      null,
      'Needs you  The site is down',
    ],
  ])('%s', (_, given, eta, expected) => {
    expect(describeSource(source(given), plain, eta)).toBe(expected)
  })

  test('shows counts that add up: found = indexed + skipped + failed + to go', () => {
    const line = describeSource(
      source({ pagesDiscovered: 2000, pagesIndexed: 1000, pagesSkipped: 300, pagesFailed: 200 }),
      plain,
      42,
    )
    expect(line).toBe(
      'Reading  ██████████████████░░░░░░ 2,000 found = 1,000 indexed + 300 skipped + 200 failed + 500 to go, about 42 s left',
    )
  })

  test('shows a full progress bar without "to go" for a complete source', () => {
    const done = source({ crawlStatus: 'complete', pagesDiscovered: 3, pagesIndexed: 3 })
    expect(describeSource(done, plain, null)).toBe(`Ready  ${'█'.repeat(24)} 3 found = 3 indexed`)
  })

  test('shows no time estimate when all pages are done', () => {
    const read = source({ pagesDiscovered: 3, pagesIndexed: 3 })
    expect(describeSource(read, plain, 16)).toBe(`Reading  ${'█'.repeat(24)} 3 found = 3 indexed + 0 to go`)
  })

  test('shows long estimates in minutes', () => {
    expect(describeSource(source({ pagesDiscovered: 9, pagesIndexed: 1 }), plain, 300)).toContain('about 5 min left')
  })
})

test('lists skipped pages by reason with an example', () => {
  const skipped = [
    { reason: 'soft_404', pages: 2, example: 'https://docs.example.org/x' },
    { reason: 'noindex', pages: 1, example: null },
    { reason: 'no_text', pages: 1, example: 'It is empty.' },
  ]
  expect(describeSkipped(source({ skipped }))).toEqual([
    '2 × soft 404, such as https://docs.example.org/x',
    '1 × noindex',
    '1 × no text: It is empty.',
  ])
})
