import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Parser } from 'htmlparser2'
import { describe, expect, it } from 'vitest'
import { extractPage } from '../extract-page.ts'

const FOLDER = join(import.meta.dirname, 'fixtures')
const NAMES = readdirSync(FOLDER).flatMap((file) => (file.endsWith('.html') ? [file.slice(0, -5)] : []))

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
  it('finds more than 10 fixtures', () => {
    expect(NAMES.length).toBeGreaterThan(10)
  })

  it.each(NAMES)('extracts the expected page from %s', (name) => {
    const expectation = join(FOLDER, `${name}.md`)
    expect(existsSync(expectation), `${name}.md is missing beside ${name}.html`).toBe(true)
    expect(describePage(readFileSync(join(FOLDER, `${name}.html`)), name)).toBe(readFileSync(expectation, 'utf8'))
  })
})

const KINDS = /^(?:h[1-6]|dt|th|caption|figcaption)$/
const NAVIGATION = new Set(['nav', 'header', 'footer', 'script', 'style', 'svg', 'template', 'noscript'])

/** Terms of a page by its tags alone: texts of headings, terms, table heads and captions, and groups of anchors. */
function termsOf(html: string): { texts: string[]; anchors: string[][] } {
  const texts: string[] = []
  const anchors: string[][] = []
  const open: { tag: string; text: string }[] = []
  let hidden = 0
  /** True after text, so that the next anchor belongs to another place. Terms with one definition are one place. */
  let isApart = true
  const inTerm = () => open.some(({ tag }) => /^(?:h[1-6]|dt)$/.test(tag))
  const parser = new Parser({
    onopentag(tag, given) {
      open.push({ tag, text: '' })
      if (NAVIGATION.has(tag)) hidden++
      const name = (inTerm() || tag === 'a' ? given['id'] : '') || (tag === 'a' ? given['name'] : '')
      if (!name || hidden > 0 || (!inTerm() && given['href'] !== undefined)) return
      if (isApart) anchors.push([])
      isApart = false
      anchors.at(-1)?.push(name)
    },
    ontext(text) {
      isApart ||= text.trim() !== '' && !inTerm()
      for (const element of open) element.text += text
    },
    onclosetag(tag) {
      const closed = open.pop()
      isApart ||= /^h[1-6]$/.test(tag)
      if (KINDS.test(tag) && hidden === 0 && closed?.text.trim()) texts.push(closed.text.replaceAll(/\s+/g, ' ').trim())
      if (NAVIGATION.has(tag)) hidden--
    },
  })
  parser.end(html)
  return { texts, anchors }
}

const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []

/** Terms whose words the page's text does not have, as often as they occur, and anchors that no section has. */
function lostTerms(name: string): string[] {
  const bytes = readFileSync(join(FOLDER, `${name}.html`))
  const page = extractPage({ url: `https://docs.example/${name}`, contentType: 'text/html', bytes })
  if (page.kind === 'rejected') return [`rejected: ${page.reason}`]
  const left = new Map<string, number>()
  for (const word of wordsOf(`${page.title}\n${page.markdown}`)) left.set(word, (left.get(word) ?? 0) + 1)
  const { texts, anchors } = termsOf(bytes.toString())
  const lost = texts.filter((text) => {
    const words = wordsOf(text)
    for (const word of words) left.set(word, (left.get(word) ?? 0) - 1)
    return words.some((word) => (left.get(word) ?? 0) < 0)
  })
  const kept = new Set(page.blocks.map((block) => (block.kind === 'heading' ? block.anchor : null)))
  return [...lost, ...anchors.flatMap((group) => (group.some((one) => kept.has(one)) ? [] : [`#${group[0]}`]))]
}

/**
 * Terms that are left out on purpose, by fixture. Words of navigation and labels, targets of an index, and members that
 * generators repeat from another page. A term that is not in this table must not be lost.
 */
const LEFT_OUT: Record<string, string[]> = {
  docbook: ['Chapter 4. Setting Up', '4.2.1. Water', '4.2.2. Functions', '#id-1.4.2'],
  'docbook-reference': ['#id-1.9.3.1'],
  'docusaurus-api': ['Bodyrequired'],
  doxygen: ['#l00001'],
  'doxygen-class': ['◆ Gauge() [1/2]'],
  'generated-ids': ['Search Link to this section'],
  'javadoc-8': [
    'All Methods',
    'Methods inherited from class java.lang.Object',
    '#navbar.top',
    '#methods.inherited.from.class.java.lang.Object',
    '#navbar.bottom',
  ],
  'javadoc-constructors': ['Methods declared in class org.tide.Post', '#methods-inherited-from-class-org.tide.Post'],
  mintlify: ['Endpoints', '#sidebar-title'],
  'mkdocs-material': ['#__codelineno-2-1', '#__codelineno-2-2'],
  'mkdocs-material-reference': ['#__codelineno-0-7', '#__codelineno-0-8', '#__codelineno-2-1', '#__codelineno-2-2'],
  qdoc: ['Contents', '#toc'],
  rustdoc: ['Struct SextantCopy item path', '#copy-path'],
  'rustdoc-reference': ['Module stars Copy item path', 'PlanetDeprecated', '#copy-path'],
  'rustdoc-toggles': [
    'Struct tide::knots::Ropex',
    "pub fn cut<R>( &mut self, range: R) -> Pieces<'_, T>ⓘNotable traits for Piecesimpl Iterator for Pieces where R: Range,",
    'impl<T> Clone for Rope<T>',
    'fn clone(&self) -> Self',
    'fn from(s: &[T]) -> Rope<T>',
    'fn len(&self) -> usize',
    'Auto Trait Implementations',
    'impl<T> Send for Rope<T>',
    'Blanket Implementations',
    'impl<T> Any for T',
    '#copy-path',
    '#synthetic-implementations',
    '#blanket-implementations',
  ],
  sphinx: ['tides.forecast.height(port, at=None) → float[source]¶'],
  'sphinx-banner': ['Weaver 4.1 documentation'],
  'sphinx-tabs': ['class w.Widget(size: int = 3, **kw)[source]¶'],
  starlight: ['Install', 'Terminal window', '#_top'],
  typedoc: ['Function fetchAll'],
}

describe('terms of pages', () => {
  it.each(NAMES)('keeps the terms and anchors of %s', (name) => {
    expect(lostTerms(name)).toEqual(LEFT_OUT[name] ?? [])
  })

  it('leaves out terms of existing pages only', () => {
    expect(NAMES).toEqual(expect.arrayContaining(Object.keys(LEFT_OUT)))
  })
})
