import { zstdCompressSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { processPage } from '#readers/process-page.ts'
import { decodeOutline } from './outline.ts'
import { withFences } from './passage.ts'
import { runBuildTask } from './build-tasks.ts'
import { createRetriever, createSearchMemory } from './retrieve.ts'

const filler = (word: string) => `${word} says more about this and goes on. `.repeat(22).trim()
const LONG = ['Begins', 'Follows', 'Continues', 'Ends'].map((word) => filler(word))
const PAGE = `# Queues

Short.

## Retries

${LONG[0]}

${LONG[1]}

${LONG[2]} A zebra waits.

${LONG[3]}

## Settings

| Setting | Use |
| --- | --- |
${Array.from({ length: 60 }, (_, at) => `| \`option_${at}\` | Sets what the service does in case ${at}. |`).join('\n')}

A change needs a restart.

## Option one

An ostrich.

## Option two

A walrus.
`

async function search(query: string, limit = 1, budget?: number) {
  const url = 'https://docs.test/queues'
  const read = processPage({ url, contentType: 'text/markdown', bytes: Buffer.from(PAGE) })
  if (read.kind === 'rejected' || read.unchanged) throw new Error('The text gives a page.')
  const { page, textHash, outline } = read
  const built = runBuildTask({
    kind: 'build',
    pages: [{ page: { url, title: page.title, textHash, anchorTexts: [], ...decodeOutline(outline) }, markdown: PAGE }],
  })
  const retriever = createRetriever(
    {
      loadSegment: async () => built,
      loadTexts: async () => new Map([[textHash, zstdCompressSync(PAGE)]]),
    },
    createSearchMemory({ cacheBytes: 1_000_000 }),
  )
  const server = {
    sources: [{ id: 's', type: 'docs' as const, url: 'https://docs.test/', label: null, segments: ['a'] }],
  }
  return retriever.retrieve(server, { query, limit, ...(budget && { budget }) })
}

describe('a found passage', () => {
  test('grows by its section, to 2,000 bytes', async () => {
    const { passages } = await search('zebra')
    const text = passages[0]?.passage ?? ''
    expect(text).toContain('zebra')
    expect(text).toContain('Follows')
    expect(text).not.toContain('Begins')
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(2_000)
    expect(passages[0]?.url).toBe('https://docs.test/queues#retries')
  })

  test('has the header of the table that it begins in', async () => {
    const { passages } = await search('option_59')
    expect(passages[0]?.passage).toContain('needs a restart')
    expect(withFences(passages)[0]?.passage).toMatch(/^\| Setting \| Use \|\n\| --- \| --- \|\n\| `option_(?!0`)/)
  })

  test('does not grow beyond the budget', async () => {
    const { passages } = await search('zebra', 1, 1_000)
    expect(passages[0]?.passage).not.toContain('Follows')
  })

  test('does not take in a section beside its own', async () => {
    const { passages } = await search('ostrich')
    expect(passages[0]?.passage).toBe('## Option one\n\nAn ostrich.')
  })

  test('takes in the other found passages of its section', async () => {
    const { passages } = await search('zebra begins follows continues', 3)
    expect(passages.filter(({ url }) => url.endsWith('#retries'))).toHaveLength(1)
  })
})
