import { execFileSync } from 'node:child_process'
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { chunkPage } from '@docent/server/chunk/chunk-page.ts'
import { extractPage } from '@docent/server/extract/extract-page.ts'
import type { ExtractedPage } from '@docent/server/extract/extracted-page.ts'
import { parseHtml } from '@docent/server/extract/html/html-tree.ts'
import { overlap, textOfMarkdown } from './text-overlap.ts'

type Case = { name: string; html: Uint8Array; expected: string; url: string }

/** Phrases of the test site's navigation, none of which may be part of a passage. */
const NAVIGATION = [
  'We use cookies to improve',
  'Edit this page on GitHub',
  'Was this page helpful',
  'On this page',
  'Previous page',
  'Next page',
  'Released under the MIT License. Copyright',
  'Skip to content',
  'Last updated: Aug',
]
const SAMPLE = 200

/**
 * Accuracy of page extraction: words against the expectations of two public extraction suites (`--corpora`, or
 * DOCENT_TEST_CORPORA: the folder that holds attack/corpora.tar.xz), and, with `--site` and `--markdown`, the pages of
 * a generated site against their Markdown sources. `--worst N` lists the N worst pages of each.
 */
export async function run(args: string[]): Promise<Record<string, unknown>> {
  const { values } = parseArgs({
    args,
    options: {
      corpora: { type: 'string', default: process.env['DOCENT_TEST_CORPORA'] ?? '' },
      site: { type: 'string' },
      markdown: { type: 'string' },
      worst: { type: 'string', default: '0' },
    },
  })
  const worst = Number(values.worst)
  const report: Record<string, unknown> = {}
  if (values.corpora === '')
    console.error('SKIPPED readability and defuddle: neither --corpora nor DOCENT_TEST_CORPORA is set.')
  else {
    const folder = mkdtempSync(join(tmpdir(), 'docent-corpora-'))
    try {
      execFileSync('tar', ['xJf', join(values.corpora, 'attack', 'corpora.tar.xz'), '-C', folder])
      const root = globSync('**/extraction-readability', { cwd: folder })[0]
      if (root === undefined) throw new Error('The archive holds no extraction-readability folder.')
      const base = join(folder, root, '..')
      report['readability'] = score(readabilityCases(join(base, 'extraction-readability')), worst)
      report['defuddle'] = score(defuddleCases(join(base, 'extraction-defuddle')), worst)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
  if (values.site !== undefined && values.markdown !== undefined)
    report['site'] = siteReport(values.site, values.markdown, worst)
  return report
}

function readabilityCases(folder: string): Case[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({
      name,
      html: readFileSync(join(folder, name, 'source.html')),
      expected: textOfHtml(readFileSync(join(folder, name, 'expected.html'), 'utf8')),
      url: 'http://fakehost/test/page.html',
    }))
}

function defuddleCases(folder: string): Case[] {
  return readdirSync(join(folder, 'fixtures')).map((file) => ({
    name: basename(file, '.html'),
    html: readFileSync(join(folder, 'fixtures', file)),
    // Each expectation begins with its metadata as a fenced block.
    expected: textOfMarkdown(
      readFileSync(join(folder, 'expected', file.replace(/html$/, 'md')), 'utf8').replace(
        /^```json\n[\s\S]*?\n```\n/,
        '',
      ),
    ),
    url: `https://example.com/${basename(file, '.html')}`,
  }))
}

function score(cases: Case[], worst: number): Record<string, unknown> {
  const rows = cases.map(({ name, html, expected, url }) => {
    const page = extractPage({ url, contentType: 'text/html', bytes: html })
    const text = page.kind === 'page' ? textOfMarkdown(page.markdown) : ''
    return { name, note: page.kind === 'page' ? '' : page.reason, ...overlap(text, expected) }
  })
  rows.sort((a, b) => a.f1 - b.f1)
  for (const row of rows.slice(0, worst))
    console.error(row.f1.toFixed(3), `p ${row.precision.toFixed(2)} r ${row.recall.toFixed(2)}`, row.name, row.note)
  return {
    pages: rows.length,
    f1: mean(rows.map((row) => row.f1)),
    precision: mean(rows.map((row) => row.precision)),
    recall: mean(rows.map((row) => row.recall)),
  }
}

function siteReport(site: string, markdownFolder: string, worst: number): Record<string, unknown> {
  const rows: { name: string; f1: number; equal: number; blocks: number }[] = []
  const passages: string[] = []
  for (const file of globSync('**/*.md', { cwd: markdownFolder })) {
    const route = file.replace(/\.md$/, '')
    const source = readFileSync(join(markdownFolder, file), 'utf8')
    const page = extractPage({
      url: `http://site.example/${route}`,
      contentType: 'text/html',
      bytes: readFileSync(join(site, route, 'index.html')),
    })
    if (page.kind === 'rejected') {
      rows.push({ name: `${route} ${page.reason}`, f1: 0, equal: 0, blocks: 0 })
      continue
    }
    passages.push(...chunkPage(page).map(({ start, end }) => page.markdown.slice(start, end)))
    rows.push({
      name: route,
      f1: overlap(textOfMarkdown(page.markdown), textOfMarkdown(source)).f1,
      ...equalCode(page, source),
    })
  }
  rows.sort((a, b) => a.f1 - b.f1)
  for (const row of rows.slice(0, worst)) console.error(row.f1.toFixed(3), row.name, `${row.equal}/${row.blocks}`)
  const sample = passages
    .filter((_, index) => index % Math.max(1, Math.floor(passages.length / SAMPLE)) === 0)
    .slice(0, SAMPLE)
  const blocks = rows.reduce((sum, row) => sum + row.blocks, 0)
  return {
    pages: rows.length,
    f1: mean(rows.map((row) => row.f1)),
    codeBlocks: blocks,
    codeEqual: rows.reduce((sum, row) => sum + row.equal, 0) / Math.max(1, blocks),
    passages: passages.length,
    navigationLinesInSample: sample.filter((text) => NAVIGATION.some((phrase) => text.includes(phrase))).length,
    navigationLines: passages.filter((text) => NAVIGATION.some((phrase) => text.includes(phrase))).length,
  }
}

/** Counts the source's code blocks that the page contains byte for byte. */
function equalCode(page: ExtractedPage, source: string): { equal: number; blocks: number } {
  const found = new Map<string, number>()
  for (const block of page.blocks) {
    if (block.kind !== 'code') continue
    const code = page.markdown.slice(block.codeStart, block.codeEnd).trimEnd()
    found.set(code, (found.get(code) ?? 0) + 1)
  }
  let equal = 0
  const wanted = fences(source)
  for (const code of wanted) {
    const count = found.get(code) ?? 0
    if (count > 0) {
      equal++
      found.set(code, count - 1)
    }
  }
  return { equal, blocks: wanted.length }
}

/** Code of the fences in a Markdown source, with the fence's indent removed from each line. */
function fences(source: string): string[] {
  const codes: string[] = []
  for (const match of source.matchAll(/^([ \t]*)(`{3,}|~{3,})[^\n`]*\n([\s\S]*?)^[ \t]*\2`*[ \t]*$/gm)) {
    const indent = match[1] ?? ''
    const body = match[3] ?? ''
    const code = body
      .split('\n')
      .map((line) => dedent(line, indent.length))
      .join('\n')
      .trimEnd()
    if (code.trim() !== '') codes.push(code)
  }
  return codes
}

function dedent(line: string, width: number): string {
  const own = line.length - line.trimStart().length
  return line.slice(Math.min(own, width))
}

function textOfHtml(html: string): string {
  return (parseHtml(html) ?? []).map((node) => node.text).join(' ')
}

function mean(values: number[]): number {
  return Number((values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)).toFixed(4))
}
