import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { markdownBlocks } from '#documents/model/markdown-blocks.ts'
import { openCorpus } from '../support/sites/corpora.ts'
import { openShelf } from '../support/mcp/shelf.ts'

const folder = await openCorpus('extraction-defuddle')
const MAX_HEADINGS = 4

/** Headings that begin another section after text of an earlier one. A subsection of an API member does not count. */
function laterSections(passage: string): string[] {
  const later: string[] = []
  let level = Infinity
  let hasText = false
  for (const block of markdownBlocks(passage)) {
    if (block.kind !== 'heading') {
      hasText = true
      continue
    }
    if (hasText && block.level <= level) later.push(block.text)
    level = block.level
    hasText = false
  }
  return later
}

describe('sections of a passage', () => {
  test.each([
    ['# A\n\n## B\n\nText.', []],
    ['## B\n\nText.\n\n## C\n\nMore.', ['C']],
    ['## B\n\nText.\n\n# C\n\nMore.', ['C']],
    ['Text.\n\n## C\n\nMore.', ['C']],
    ['## B\n\n```\ncode\n```\n\n### Parameters\n\nText.', []],
  ])('counts the later sections of %j', (passage, later) => {
    expect(laterSections(passage)).toEqual(later)
  })
})

describe.skipIf(folder === null)('search over real pages', () => {
  test('shows no passage that spans sibling sections', async () => {
    const at = join(folder ?? '', 'expected')
    const names = (await readdir(at)).filter((name) => name.endsWith('.md'))
    const pages = await Promise.all(
      names.map(async (name) => {
        const text = await readFile(join(at, name), 'utf8')
        // The files begin with JSON about the page, in a code block.
        const markdown = text.replace(/^```json\n[^`]*```\n/, '')
        return { url: `https://w.example/${encodeURIComponent(name)}`, markdown, title: name }
      }),
    )
    const shelf = openShelf({ pages: pages.filter(({ markdown }) => /\w{3}/.test(markdown)) })
    const headings = pages.flatMap(({ markdown }) =>
      markdownBlocks(markdown)
        .flatMap((block) => (block.kind === 'heading' && /\w{3}/.test(block.text) ? [block.text] : []))
        .slice(0, MAX_HEADINGS),
    )
    const spanning: string[] = []
    let shown = 0
    for (const query of headings) {
      const { structured } = await shelf.call('search_docs', { query: query.slice(0, 200) })
      for (const { passage } of structured.results) {
        shown++
        const later = laterSections(passage)
        if (later.length > 0) spanning.push(`${later.join(', ')} in: ${passage}`)
      }
    }
    expect(shown).toBeGreaterThan(300)
    expect(spanning).toEqual([])
  })
})
