import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { RETRIEVAL_RULE } from '@docent/contract/limits'
import { describe, expect, test } from 'vitest'
import type { NamedSource } from '#grammar/source-names.ts'
import { ruleGlob } from '#search/rules/active-rules.ts'
import { findPlaces } from '#search/rules/find-places.ts'
import { createRuleCompiler } from './compile-rule.ts'
import { explainRule } from './explain-rule.ts'

const DOCUMENT = readFileSync(join(import.meta.dirname, '../../../docs/rules.md'), 'utf8')
const SOURCES: NamedSource[] = [
  { id: 'src_docs', type: 'docs', url: 'https://docs.rivet.example/', label: null },
  { id: 'src_manual', type: 'pdf', url: 'https://rivet.example/manual.pdf', label: 'Operator Manual' },
  { id: 'src_forum', type: 'website', url: 'https://forum.rivet.example/', label: null },
]
const PAGES = [
  '/guide',
  '/guide/install',
  '/blog',
  '/changelog',
  '/legacy',
  '/docs/archive',
  '/faq',
  '/v3.2/start',
].map((path) => ({
  path,
  type: 'docs' as const,
  title: () => path,
  sections: () => (path === '/faq' ? [{ heading: 'Limits', anchor: 'limits' }] : []),
}))
const compile = createRuleCompiler()
const compiled = (text: string) =>
  compile(text, {
    sources: SOURCES,
    sourceId: null,
    places: {
      has: (glob) => PAGES.some(({ path, type }) => ruleGlob(glob, type)(path)),
      hasVersion: (version) => version === '3.2',
      find: (name) => findPlaces(PAGES, name),
    },
  })

/** The rows of the table with this heading of its first and last column: the code in the first cell, and the last cell. */
function rowsOf(first: string, last: string): { examples: string[]; told: string }[] {
  const lines = DOCUMENT.split('\n')
  const cellsOf = (line: string) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim())
  const start = lines.findIndex((line) => cellsOf(line)[0] === first && cellsOf(line).at(-1) === last)
  const rows = lines.slice(start + 2, start < 0 ? 0 : lines.indexOf('', start))
  return rows.map((row) => ({
    examples: [...(cellsOf(row)[0] ?? '').matchAll(/`([^`]+)`/g)].flatMap(([, code]) => code ?? []),
    told: cellsOf(row).at(-1) ?? '',
  }))
}

const each = (first: string, last: string) =>
  rowsOf(first, last).flatMap(({ examples, told }) => examples.map((example): [string, string] => [example, told]))

describe('sentences of docs/rules.md', () => {
  test.each(each('Sentence', 'Effect'))('%s has the documented effects', (sentence, told) => {
    const kinds = [...told.matchAll(/`([a-z_]+)`/g)].map(([, kind]) => kind)
    const { effects, unclear, removed } = compiled(sentence)
    expect([...new Set(effects.map(({ kind }) => kind))]).toEqual(kinds)
    expect([unclear, removed]).toEqual([[], []])
  })

  test.each(each('Sentence', 'Weight'))('%s has the weight %s', (sentence, told) => {
    const weights = compiled(sentence).effects.map((effect) => ('weight' in effect ? effect.weight : null))
    expect(weights).toEqual([Number(told)])
  })

  test.each(each('Condition', 'Calls'))('the condition “%s” limits an effect', (condition) => {
    const { effects, unclear, removed } = compiled(`Prefer the blog ${condition}.`)
    expect([effects.length, unclear, removed]).toEqual([1, [], []])
    const known = ['terms', 'exceptTerms', 'tool', 'language']
    expect(known).toEqual(expect.arrayContaining(Object.keys(effects[0]?.when ?? { none: [] })))
  })

  test.each(each('Sentence', 'Why'))('%s is refused', (sentence) => {
    const { unclear, contradictions } = compiled(sentence)
    expect(unclear.length > 0 || contradictions.some(({ isTotal }) => isTotal)).toBe(true)
  })

  test('each sentence has an accepted length', () => {
    const { minSentence, maxSentence } = RETRIEVAL_RULE
    const sentences = ['Effect', 'Weight', 'Why'].flatMap((last) =>
      each('Sentence', last).map(([sentence]) => sentence),
    )
    const wrong = sentences.filter(({ length }) => length < minSentence || length > maxSentence)
    expect(wrong).toEqual([])
    expect(DOCUMENT).toContain(`A sentence has ${minSentence} to ${maxSentence} characters.`)
  })

  test('every table was found', () => {
    const tables = [each('Sentence', 'Effect'), each('Sentence', 'Weight'), each('Condition', 'Calls')]
    expect(tables.map(({ length }) => length)).toEqual([18, 16, 9])
    expect(each('Sentence', 'Why')).toHaveLength(6)
  })

  test('each example in the running text is understood as the text says', () => {
    expect(DOCUMENT).toContain('In `use the guide, not the blog`, they are left out')
    expect(compiled('Use the guide, not the blog.').effects[1]).toMatchObject({ kind: 'exclude_path' })
    for (const sentence of [
      'Leave out pages older than two years.',
      'Prefer the blog, but drop it when asked about billing.',
    ]) {
      expect(DOCUMENT).toContain(`\`${sentence}\``)
      const rule = compiled(sentence)
      expect(explainRule(rule, SOURCES).length).toBe(rule.effects.length + 1)
    }
    const untold = 'When two sources disagree, prefer the guide.'
    expect(DOCUMENT).toContain(`\`${untold}\``)
    expect(compiled(untold).removed).toEqual(['When two sources disagree'])
    const example = /"naturalLanguage": "([^"]+)"/.exec(DOCUMENT)?.[1] ?? ''
    expect(compiled(example).effects.map(({ when }) => when?.terms?.[0])).toEqual(['deployment', 'deployment'])
  })
})
