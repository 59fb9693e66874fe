import { describe, expect, test } from 'vitest'
import { tellingText } from '#crawl/found-links.ts'
import { parseLlmsTxt } from './site/llms-txt.ts'
import { splitLlmsFull } from './site/llms-full.ts'
import { cpuSeconds } from '../../test/support/lib/cpu-seconds.ts'
import { sampleOf } from '../../test/support/lib/sample-of.ts'
import { looksLikeSdl } from './api/read-sdl.ts'
import { apiFormat } from './api/parse-data.ts'
import { cleanTitle } from './html/page-title.ts'
import { declaredEncoding } from './decode.ts'
import { extractMarkdown } from './markdown/extract-markdown.ts'
import { guessLanguage } from './html/code-language.ts'
import { manualParts } from './manual-page.ts'
import { asciidocToMarkdown } from './repository/asciidoc-to-markdown.ts'
import { roffToMarkdown } from './repository/roff-to-markdown.ts'
import { rstToMarkdown } from './repository/rst-to-markdown.ts'
import { slugifyHeading } from '#documents/model/markdown-blocks.ts'

const URL = 'https://w.example/a.md'

/** Functions that read source text before it is indexed. */
const READERS: [name: string, read: (text: string) => unknown][] = [
  ['the format of an API description', apiFormat],
  ['the format of a JSON description', (text) => apiFormat(`{${text}`)],
  ['a schema', looksLikeSdl],
  ['a title', (text) => cleanTitle(text, text, text)],
  ['a charset header', (text) => declaredEncoding(new Uint8Array(), text)],
  ['the beginning of a page', (text) => declaredEncoding(Buffer.from(text), null)],
  ['Markdown', (text) => extractMarkdown(text, URL)],
  ['the language of code', guessLanguage],
  [
    'a manual page',
    (text) => manualParts(`NAME\n\nDESCRIPTION\n       ${text}\n${text.replaceAll('\n', '\n       ')}`),
  ],
  ['AsciiDoc', asciidocToMarkdown],
  ['reStructuredText', rstToMarkdown],
  ['the source of a manual page', (text) => roffToMarkdown(`.TH A 1\n${text}\n.Op ${text}`)],
  ['an anchor', slugifyHeading],
  ['llms.txt', (text) => parseLlmsTxt(text, URL)],
  ['llms-full.txt', (text) => splitLlmsFull(text, URL)],
  ['the text of a link', tellingText],
]

const UNITS = [
  ['|', '-', ' ', '\t', '\n', '\r', '`', '*', '[', ']', '(', ')', '<', '>', '#', ':', '.', '!', '_', '~', '{', '='],
  [
    'schema@',
    'schema ',
    '\nschema@',
    'extend ',
    'extend\n',
    'type Query',
    '\ntype Query ',
    '"openapi": ',
    '"__schema"',
  ],
  [
    'charset=',
    'charset ',
    '<meta ',
    '<meta charset',
    '| ',
    ' |',
    ' - ',
    '# ',
    '# a\n',
    '#a ',
    '[](',
    '](',
    '[a](',
    '![a',
  ],
  [
    '[[',
    '<<a,',
    '<<',
    'link:a',
    'kbd:[',
    'a::',
    ':: ',
    ':a:',
    ':a: ',
    ':a:`b',
    '`a <',
    '.. a::',
    '|a|',
    '```\n',
    '~~~~',
  ],
  [
    '---\n',
    'title: ',
    'title: "',
    'a\n',
    '\n\n',
    '\r\n',
    ' \n',
    'int a',
    'int\t',
    'a(',
    'a (',
    '\n class',
    'skip to ',
    '…',
  ],
  ['# [a](http:', '](http:', 'url: ', 'source: [', '{#a', '{a', '**a', '== a\n', 'a\n===\n', '[source]\n----\n', '+\n'],
].flat()

describe('hostile texts of 64 KB', () => {
  test.each(READERS.map(([name, read], turn) => [name, read, turn] as const))(
    'reads %s in less than 1 s, whatever string repeats',
    (_, read, turn) => {
      const slow = sampleOf(UNITS, turn).flatMap((unit) => {
        const text = unit.repeat(Math.ceil((64 * 1024) / unit.length))
        const seconds = cpuSeconds(() => [read(text), read(`${text}x`)])
        return seconds < 1 ? [] : [{ unit, seconds }]
      })
      expect(slow).toEqual([])
    },
    600_000,
  )
})
