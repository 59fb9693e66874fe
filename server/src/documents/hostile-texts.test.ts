import { describe, expect, test } from 'vitest'
import { unitsOf } from '#answer/units.ts'
import { sanitizeOutput } from '#answer/injections.ts'
import { cpuSeconds } from '../../test/support/lib/cpu-seconds.ts'
import { sampleOf } from '../../test/support/lib/sample-of.ts'
import { excerpt } from './excerpt.ts'
import { sectionsIn } from '../../test/support/lib/sections-in.ts'
import { codeOf, sentencesOf } from '#documents/model/read-block.ts'
import { readEntries } from '#documents/model/entries/read-entries.ts'
import { entryHeading, titleVersion } from '#documents/model/entries/release-heading.ts'
import { readReleases } from '#documents/changelog/read-releases.ts'
import type { OpenPage } from '#documents/library-page.ts'
import { classifyStep, phaseOfHeading, readSteps } from '#documents/quickstart/read-steps.ts'
import { readIssue } from '#documents/issues.ts'
import { readParameters, readSignature } from '#documents/reference/read-parameters.ts'
import { readReference, readTerms } from '#documents/reference/read-reference.ts'
import { findDefinition } from '#documents/schema/find-definitions.ts'
import { definitionsOn, memberSections } from '#documents/schema/read-schemas.ts'
import { markdownBlocks } from '#documents/model/markdown-blocks.ts'
import { tellingSentences } from '#documents/summary/summarize.ts'
import { nameKeys } from '#documents/model/name-key.ts'
import { kindsOf } from '#search/catalogue/page-kind.ts'
import { replaceLinks } from '#lib/text/replace-links.ts'

const page = (markdown: string): OpenPage => ({
  sourceId: 'src_1',
  type: 'website',
  url: 'https://w.example/a',
  title: 'A',
  textHash: 'a',
  part: { segment: { record: () => ({ chunks: [] }) } } as unknown as OpenPage['part'],
  page: 0,
  markdown,
  sections: sectionsIn(markdown),
})

const referenceIn = (markdown: string) => readReference({ markdown, sections: sectionsIn(markdown) }, 'name')

const LANGUAGES = ['sql', 'ts', 'java', 'rust', 'go', 'python', 'graphql', 'proto']

/** Every operation that tools apply to the text of a page. */
const READERS: [name: string, read: (text: string) => unknown][] = [
  ['sections', sectionsIn],
  ['fences', codeOf],
  ['an excerpt', (text) => excerpt(text, 20_000)],
  ['parameters', (text) => readParameters({ text, blocks: markdownBlocks(text) })],
  ['terms', (text) => readTerms({ text, blocks: markdownBlocks(text) })],
  ['fields in sections', (text) => memberSections(`# A\n\n${text}`, sectionsIn(`# A\n\n${text}`))],
  ['entries', (text) => readEntries({ title: 'A', markdown: text, blocks: markdownBlocks(text) })],
  ['a reference', (text) => referenceIn(text)],
  ['a reference below its heading', (text) => referenceIn(`# name\n\n${text}`)],
  ['a signature', readSignature],
  ['sentences that tell something', (text) => tellingSentences(text, markdownBlocks(text))],
  ['steps', (text) => readSteps(page(text))],
  ['the purpose of code', (text) => classifyStep('Notes', [{ language: null, text }])],
  ['the purpose of a heading', phaseOfHeading],
  ['releases', (text) => readReleases(page(text), 'changelog')],
  ['an entry of a changelog', entryHeading],
  ['the version of a title', titleVersion],
  ['an issue', (text) => readIssue(page(`Issue #1, open, opened 2024-01-01${text}`))],
  ['definitions', (text) => LANGUAGES.map((language) => findDefinition({ language, text }, 'name'))],
  ['definitions of a page', (text) => definitionsOn(page(`${text}name`), 'name')],
  ['names of a heading', nameKeys],
  ['the kind of a page', (text) => kindsOf({ url: `https://w.example/${text}`, title: text })],
  ['labels of links', (text) => replaceLinks(text, ({ label }) => label)],
  ['statements', (text) => unitsOf(text, markdownBlocks(text))],
  ['sentences', sentencesOf],
  ['a model’s answer', (text) => sanitizeOutput(text, '')],
]

const SIGNS = [
  '|',
  '-',
  ' ',
  '\t',
  '\n',
  '\r',
  '`',
  '*',
  '[',
  ']',
  '(',
  ')',
  '<',
  '>',
  '#',
  ':',
  '.',
  '!',
  '_',
  '~',
  '{',
]
const WORDS = [
  ['| ', '|-', ':-', '- ', '-|', '# ', '#\n', '## a\n', '`a', '``', '```\n', '```\na\n', '**', '*a', '**a**\n', '[a'],
  ['**npm**\n', '**npm**\n\n**yarn**\n\n', '## Linux\n\n### Windows\n', '## npm\n## yarn\n', '**npm** ', 'npm, '],
  ['[](', '](', '![', '[a](', '<a', '<a ', '<!--', '(a', '( ', 'a(', '::', 'a::', 'a.', '.a', '. ', '.)', '! ', '->'],
  ['a ', 'a\n', '\n ', '\n\n', '\r\n', 'a -> ', 'a = ', 'a: ', '0.', '0 ', 'v0', '1.0-', '@a', 'curl ', 'irm |'],
  ['- `a` (', '- `a`: ', '| a ', '| --- ', '|---|\n', '## 1.0\n', '## 1.0.0 - 2024-01-01\n\na\n', 'config', 'sql'],
  [
    'type name<',
    'public ',
    'public\n',
    'pub(',
    'class name',
    'create table ',
    '. Labels: ',
    ' by a',
    'released ',
    '1 is out',
  ],
  ['why ', 'contribut', 'example\n', 'returns: ', '- returns: ', 'operator()', '{a', '{{', '<a<', 'a,', 'Mr. '],
].flat()

describe('a page of 128 KB', () => {
  test.each(READERS.map(([name, read], turn) => [name, read, turn] as const))(
    'reads %s in less than 1 s for any repeated input',
    (_, read, turn) => {
      const slow = sampleOf([...SIGNS, ...WORDS], turn).flatMap((unit) => {
        const text = unit.repeat(Math.ceil((128 * 1024) / unit.length))
        const seconds = cpuSeconds(() => [read(text), read(`${text}x`)])
        return seconds < 1 ? [] : [{ unit, seconds }]
      })
      expect(slow).toEqual([])
    },
    600_000,
  )
})
