import { expect, test } from 'vitest'
import type { NamedSource } from '#grammar/source-names.ts'
import { ruleGlob } from '#search/rules/active-rules.ts'
import { findPlaces } from '#search/rules/find-places.ts'
import { createRuleCompiler } from './compile-rule.ts'

const SOURCES: NamedSource[] = [
  { id: 'src_docs', type: 'docs', url: 'https://docs.rivet.example/', label: 'Rivet Docs' },
  { id: 'src_forum', type: 'website', url: 'https://forum.rivet.example/', label: null },
]
const compile = createRuleCompiler()
const PAGES = [
  { sourceId: 'src_docs', path: '/guide/tokens', headings: ['Scopes and limits', 'Rotation'] },
  { sourceId: 'src_docs', path: '/faq', headings: ['Pricing'] },
  { sourceId: 'src_forum', path: '/t/tokens', headings: [] },
]
const pagesOf = (sourceId?: string) =>
  PAGES.filter((page) => sourceId === undefined || page.sourceId === sourceId).map(({ path, headings }) => ({
    path,
    type: 'docs' as const,
    title: () => path,
    sections: () => headings.map((heading) => ({ heading, anchor: heading.toLowerCase().replaceAll(' ', '-') })),
  }))
const places = {
  has: (glob: string, sourceId?: string) => pagesOf(sourceId).some(({ path, type }) => ruleGlob(glob, type)(path)),
  hasVersion: (version: string) => version === '4.2',
  find: (name: Parameters<typeof findPlaces>[1] & { sourceId?: string }) => findPlaces(pagesOf(name.sourceId), name),
}
const placed = (text: string) => compile(text, { sources: SOURCES, sourceId: null, places })

test.each<[sentence: string, names: object[]]>([
  ['Prefer version 4.2 of the docs.', [{ version: '4.2' }]],
  ['Prefer the section “Rotation” of the guide.', [{ glob: '/guide/tokens#rotation' }]],
  ['Prefer the section “Scopes and limits” of the tokens page.', [{ glob: '/guide/tokens#scopes-and-limits' }]],
  [
    'Prefer the sections “Scopes and limits” and “Rotation” of the guide.',
    [{ glob: '/guide/tokens#scopes-and-limits' }, { glob: '/guide/tokens#rotation' }],
  ],
  ['Prefer the tokens page of the guide.', [{ glob: '/guide/tokens/*' }]],
  ['Prefer the tokens page of the forum.', [{ glob: '/t/tokens/*', sourceId: 'src_forum' }]],
  ['Bevorzuge den Abschnitt „Rotation“ des Guides.', [{ glob: '/guide/tokens#rotation' }]],
])('reads the inner one of: %s', (sentence, names) => {
  expect(placed(sentence)).toMatchObject({ effects: names, unclear: [] })
})

test.each([
  ['Prefer the section “Rotation” of the FAQ.', 'section “Rotation” of the FAQ'],
  ['Prefer the faq page of the forum.', 'faq page of the forum'],
  ['Prefer version 3.1.', '3.1'],
  ['Prefer the operator manual.', 'operator manual'],
  ['Préfère la section « Pricing » du guide.', 'section « Pricing » du guide'],
])('refuses a name that the outer one does not have: %s', (sentence, unknown) => {
  expect(placed(sentence)).toMatchObject({ effects: [], unknown: [unknown] })
})
