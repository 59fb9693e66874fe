import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readRegexes } from '../../scripts/regex/read-regexes.ts'

/**
 * Patterns that look for the structure of a page in its text: fences, the marks of headings, the bars of tables.
 * Structure is read once, by extraction, and inside a block by the reader of the document model.
 */
const STRUCTURE =
  /`\{3|~\{3|```|~~~|#\{1,6\}|\^(?:\\s[*?+]?|\[[^\]]{1,9}\][*?+]?|\{[\d,]{1,5}\}| \{0,3\}){0,4}(?:\\\||#[ +\\{])/
const MAY_READ = /^server\/src\/(?:extract|documents\/model)\//
const ROOT = join(import.meta.dirname, '../..')

const patterns = readRegexes(ROOT).filter(({ file }) => file.startsWith('server/src/'))
const found = (isReader: boolean) =>
  patterns
    .filter(({ file, source }) => MAY_READ.test(file) === isReader && source !== null && STRUCTURE.test(source))
    .map(({ file, line }) => `${file}:${line}`)

test('finds the patterns of the readers of structure', () => {
  expect(found(true).length).toBeGreaterThan(5)
})

test('refuses patterns for fences, headings and tables outside extraction and the document model', () => {
  expect(found(false)).toEqual([])
})
