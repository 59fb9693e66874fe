import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { runInNewContext } from 'node:vm'
import MiniSearch from 'minisearch'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { renderDocument } from './render-document.ts'
import { writeSite } from './write-site.ts'

let folder = ''
let pages: string[] = []
const read = (path: string) => readFileSync(join(folder, path), 'utf8')

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'docent-site-'))
  const count = writeSite(folder, { widget: null, isInstance: false })
  pages = globSync('*.html', { cwd: folder })
  expect(pages).toHaveLength(count)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('writes a page for each document', () => {
  expect(pages.length).toBeGreaterThan(35)
  expect(pages).toEqual(
    expect.arrayContaining(['index.html', 'getting-started.html', 'first-answer.html', 'glossary.html']),
  )
})

test('resolves each link inside, with its anchor', () => {
  const anchors = new Map(
    pages.map((page) => [page, new Set([...read(page).matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))]),
  )
  const broken = pages.flatMap((page) =>
    linksOf(read(page))
      .filter((link) => !isGood(page, link))
      .map((link) => `${page}: ${link}`),
  )
  expect(broken).toEqual([])

  function isGood(page: string, link: string): boolean {
    const [path = '', anchor] = link.split('#')
    const target = path === '' ? page : path
    if (!existsSync(join(folder, target))) return false
    return anchor === undefined || (anchors.get(target)?.has(decodeURIComponent(anchor)) ?? false)
  }
})

test('lists every page in llms.txt and in the navigation, by kind', () => {
  const text = read('llms.txt')
  const [nav = ''] = /<nav[^]*<\/nav>/.exec(read('index.html')) ?? []
  for (const page of pages.filter((name) => name !== 'index.html')) {
    expect(text).toContain(`(${page})`)
    expect(nav).toContain(`href="${page}"`)
  }
  for (const [, path = ''] of text.matchAll(/\]\(([^)]+)\)/g))
    expect([path, existsSync(join(folder, path))]).toEqual([path, true])
  expect([...nav.matchAll(/<h2>(.+?)<\/h2>/g)].map(([, kind]) => kind)).toEqual([
    'Learn',
    'Do',
    'Look up',
    'Understand',
  ])
})

test('finds a section by a word of its text', () => {
  const window: { docentIndex?: string } = {}
  runInNewContext(read('assets/search-index.js'), { window })
  const options = { fields: ['heading', 'title', 'text'], storeFields: ['page', 'title', 'heading', 'anchor'] }
  const [first] = MiniSearch.loadJSON(window.docentIndex ?? '', options).search('reverse proxy', { combineWith: 'AND' })
  expect(first).toMatchObject({ page: 'deployment', anchor: 'reverse-proxy-and-tls' })
})

test('loads nothing from elsewhere, and the widget only if it is named', () => {
  const scripts = (html: string) =>
    [...html.matchAll(/<(?:script|link|img)\b[^>]*(?:src|href)="([^"]+)"/g)].map(([, at = '']) => at)
  expect(pages.flatMap((page) => scripts(read(page))).filter((at) => /^[a-z]+:/.test(at))).toEqual([])
  const other = mkdtempSync(join(dirname(folder), 'docent-site-'))
  try {
    const widget = { script: 'https://docent.example.org/embed/docent.js', configuration: 'cfg_1' }
    writeSite(other, { widget, isInstance: false })
    const html = readFileSync(join(other, 'index.html'), 'utf8')
    expect(html).toContain(
      '<script async src="https://docent.example.org/embed/docent.js" data-configuration="cfg_1"></script>',
    )
  } finally {
    rmSync(other, { recursive: true, force: true })
  }
})

test('gives equal headings different anchors, and each section its own text', () => {
  const text = '# A `b`\n\n## Same\n\none\n\n```sh\n# no heading\n```\n\n## Same\n\ntwo\n'
  const { html, sections } = renderDocument({ path: 'docs/a.md', name: 'a', text })
  expect(html).toContain('<h1 id="a-b">')
  expect(sections.map(({ anchor }) => anchor)).toEqual(['a-b', 'same', 'same-1'])
  expect(sections.map((section) => section.text.includes('no heading'))).toEqual([false, true, false])
})

function linksOf(html: string): string[] {
  const all = [...html.matchAll(/ (?:href|src)="([^"]+)"/g)].map(([, link = '']) => link)
  return all.filter((link) => !/^[a-z]+:/.test(link))
}
