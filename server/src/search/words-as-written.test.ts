import { zstdCompressSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { cpuSeconds } from '../../test/support/lib/cpu-seconds.ts'
import { runBuildTask } from './build-tasks.ts'
import { createRetriever, createSearchMemory } from './retrieve.ts'
import { type SamplePage, samplePage } from '../../test/support/lib/sample-pages.ts'
import { READ_PAGES, scoreAsWritten, wordsAsWritten } from './words-as-written.ts'

const PLAIN = 'Jobs printed the report.'
const WANTED = 'Jobs printing the report.'
/** Score of a word that occurs once. */
const ONCE = 1 / 1.2

/** Pages that differ in the form of one word, in the order of their URLs, which decides between equal scores. */
function pagesOf(texts: readonly string[]): SamplePage[] {
  return texts.map((text, index) => samplePage(`page-${index}`, 'Notes', [{ heading: 'Output', text }]))
}

/** Path of each page found for a question, best first. */
async function rank(pages: readonly SamplePage[], query: string, { gone = -1, depth = READ_PAGES } = {}) {
  const bytes = runBuildTask({ kind: 'build', pages: [...pages] }) ?? new Uint8Array()
  const retriever = createRetriever(
    {
      loadSegment: async () => bytes,
      loadTexts: async (_sourceId, hashes) =>
        new Map(
          pages.flatMap(({ page, markdown }, index) =>
            index !== gone && hashes.includes(page.textHash) ? [[page.textHash, zstdCompressSync(markdown)]] : [],
          ),
        ),
    },
    createSearchMemory({ cacheBytes: 1_000_000 }),
  )
  const server = {
    sources: [{ id: 'one', type: 'docs' as const, url: 'https://docs.test/', label: null, segments: ['all'] }],
  }
  return retriever.rank(server, { query, limit: 5 }, depth)
}

const pathsOf = ({ chunks }: Awaited<ReturnType<typeof rank>>) =>
  chunks.map(({ part, page }) => part.segment.url(page).replace('https://docs.test/', ''))

describe('preferWordsAsWritten', () => {
  test('prefers the page that has the form of a word that the question uses', async () => {
    const pages = pagesOf([PLAIN, WANTED])
    expect(pathsOf(await rank(pages, 'printed reports'))).toEqual(['page-0', 'page-1'])
    expect(pathsOf(await rank(pages, 'printing reports'))).toEqual(['page-1', 'page-0'])
  })

  test('counts words in the title and in the heading', async () => {
    const plain = { heading: 'Printed output', text: 'Jobs of the report.' }
    const inTitle = [samplePage('a', 'Printed notes', [plain]), samplePage('b', 'Printing notes', [plain])]
    expect(pathsOf(await rank(inTitle, 'printing report'))).toEqual(['b', 'a'])
    const wanted = { ...plain, heading: 'Printing output' }
    const inHeading = [samplePage('a', 'Notes', [plain]), samplePage('b', 'Notes', [wanted])]
    expect(pathsOf(await rank(inHeading, 'printing report'))).toEqual(['b', 'a'])
  })

  test.each(['job_limit', '2.4.1'])('prefers the section about %s to one that says it more', async (name) => {
    const about = { heading: name, text: 'The number of workers.' }
    const other = {
      heading: 'Workers',
      text: `Workers read ${name}. Set ${name} first, since ${name} stops workers.`,
    }
    const pages = [samplePage('a', 'Notes', [other]), samplePage('b', 'Notes', [about])]
    const { chunks } = await rank(pages, `workers ${name}`)
    expect(chunks.map(({ features }) => Math.sign(features.named ?? 0))).toEqual([1, 0])
    expect(chunks[0]?.part.segment.url(chunks[0].page)).toBe('https://docs.test/b')
  })

  test.each(['3.38.0', '3.38'])(
    'prefers the page of version %s to those of later ones that repeat it',
    async (asked) => {
      const repeats = `Changes in version ${asked}: the version ${asked} has new printers.`
      const later = [1, 2, 3, 4, 5, 6].map((at) =>
        samplePage(`a${at}`, 'Log', [{ heading: `Release ${asked}.${at}`, text: `${repeats} Also ${at}.` }]),
      )
      const own = samplePage('b', 'Log', [{ heading: `Release ${asked}`, text: 'New printers in this version.' }])
      const others = Array.from({ length: 20 }, (_, at) =>
        samplePage(`c${at}`, 'Other', [{ heading: 'Notes', text: `Nothing about changes in page ${at}.` }]),
      )
      const [first] = pathsOf(await rank([...later, own, ...others], `changes in version ${asked}`, { depth: 8 }))
      expect(first).toBe('b')
    },
  )

  test('does not prefer the section about a plain word', async () => {
    const pages = [PLAIN, WANTED].map((text, at) => samplePage(`${at}`, 'Notes', [{ heading: 'Workers', text }]))
    const { chunks } = await rank(pages, 'workers report')
    expect(chunks.map(({ features }) => features.named)).toEqual([0, 0])
  })

  test('compares the three best pages only', async () => {
    const third = pagesOf([PLAIN, PLAIN, WANTED, PLAIN])
    expect(pathsOf(await rank(third, 'printing'))[0]).toBe('page-2')
    const fourth = pagesOf([PLAIN, PLAIN, PLAIN, WANTED])
    expect(pathsOf(await rank(fourth, 'printing'))).toEqual(['page-0', 'page-1', 'page-2', 'page-3'])
  })

  test('reads the texts of the five best pages only', async () => {
    const { texts, chunks } = await rank(
      pagesOf(Array.from({ length: READ_PAGES + 1 }, (_, page) => `${PLAIN} ${page}`)),
      'printing',
      { depth: READ_PAGES + 1 },
    )
    expect([texts.size, chunks.length]).toEqual([READ_PAGES, READ_PAGES + 1])
  })

  test('ranks the best pages alike for every number of results', async () => {
    const pages = pagesOf([PLAIN, PLAIN, WANTED])
    for (const depth of [1, 2, 3, 20]) expect(pathsOf(await rank(pages, 'printing', { depth }))[0]).toBe('page-2')
  })

  test('keeps a page whose text is gone below those that have the words', async () => {
    const pages = pagesOf([WANTED, WANTED, PLAIN])
    expect(pathsOf(await rank(pages, 'printing', { gone: 0 }))).toEqual(['page-1', 'page-0', 'page-2'])
  })

  test('explains the score with a feature between 0 and 1', async () => {
    const { chunks } = await rank(pagesOf([PLAIN, WANTED]), 'printing')
    const [first, second] = chunks.map(({ score }) => score)
    expect(chunks.map(({ features }) => features.asWritten)).toEqual([expect.closeTo(ONCE), 0])
    expect(first).toBeGreaterThan(second ?? Infinity)
  })
})

describe('scoreAsWritten', () => {
  const score = (words: Record<string, number>, text: string) =>
    scoreAsWritten(wordsAsWritten(Object.entries(words).map(([word, share]) => ({ word, share }))), text)

  test('weighs words by their rarity', () => {
    const words = { rare: 0.01, usual: 0.1 }
    expect(score(words, 'a rare thing')).toBeCloseTo((2 / 3) * ONCE)
    expect(score(words, 'the usual thing')).toBeCloseTo((1 / 3) * ONCE)
    expect(score(words, 'nothing')).toBe(0)
    expect(score({}, 'nothing')).toBe(0)
  })

  test('counts four occurrences of a word, each less than the one before', () => {
    const scores = [1, 2, 3, 4, 5].map((times) => score({ job: 0.1 }, 'job '.repeat(times)))
    expect(scores.map((value) => value.toFixed(3))).toEqual(['0.833', '0.909', '0.938', '0.952', '0.952'])
  })

  test.each([
    ['print', 'print', 1],
    ['Print', 'to print, twice', 1],
    ['print', 'a printer, a reprint', 0],
    ['print', 'reprint and print', 1],
    ['print', 'print_all', 0],
    ['c++', 'the c++ compiler', 1],
    ['größe', 'die größe', 1],
    ['größe', 'die größen', 0],
    ['設定', '変更設定画面', 1],
    ['設定', '変更画面', 0],
  ])('looks for %s as a whole word in "%s"', (word, text, times) => {
    expect(score({ [word]: 0.1 }, text)).toBe(times * ONCE)
  })

  test('looks up 32 words of a long question', () => {
    const words = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`word${index}`, 0.1]))
    expect(score(words(32), 'word31')).toBeCloseTo(ONCE / 32)
    expect(score(words(33), 'word32')).toBe(0)
  })

  test('takes linear time for a text of repeated letters', () => {
    const seconds = cpuSeconds(() => {
      for (let round = 0; round < 100; round++) expect(score({ ['a'.repeat(64)]: 0.1 }, 'a'.repeat(4_000))).toBe(0)
    })
    expect(seconds).toBeLessThan(2)
  })
})
