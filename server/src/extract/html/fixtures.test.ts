import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { extractPage } from '../extract-page.ts'

const FOLDER = join(import.meta.dirname, 'fixtures')

/** Describes a page as text: metadata, heading anchors and links of the text, then the Markdown. */
function describePage(html: Uint8Array, name: string): string {
  const page = extractPage({ url: `https://docs.example/${name}/page`, contentType: 'text/html', bytes: html })
  if (page.kind === 'rejected') return `rejected: ${page.reason}\n`
  const anchors = page.blocks.flatMap((block) => (block.kind === 'heading' ? [`${block.text} #${block.anchor}`] : []))
  const links = page.links.filter(({ inContent }) => inContent).map(({ url, text }) => `${text} <${url}>`)
  const facts = [
    `title: ${page.title}`,
    `language: ${page.language}`,
    `canonical: ${page.canonical}`,
    `generator: ${page.generator}`,
  ]
  const list = (caption: string, items: string[]) => [`${caption}:`, ...items.map((item) => `  ${item}`)]
  return [...facts, ...list('headings', anchors), ...list('links in the text', links), '---', page.markdown, ''].join(
    '\n',
  )
}

describe('pages of documentation generators', () => {
  const names = readdirSync(FOLDER).flatMap((file) => (file.endsWith('.html') ? [file.slice(0, -5)] : []))

  it('finds more than 10 fixtures', () => {
    expect(names.length).toBeGreaterThan(10)
  })

  it.each(names)('extracts the expected page from %s', (name) => {
    const expectation = join(FOLDER, `${name}.md`)
    expect(existsSync(expectation), `${name}.md is missing beside ${name}.html`).toBe(true)
    expect(describePage(readFileSync(join(FOLDER, `${name}.html`)), name)).toBe(readFileSync(expectation, 'utf8'))
  })
})
