import { expect, test } from 'vitest'
import { kindOf } from './words.ts'

test.each([
  ['guide.md', 'upload://manual.pdf/', 'Markdown'],
  ['The manual', 'upload://manual.pdf/', 'PDF'],
  [null, 'upload://manual.pdf/', 'PDF'],
  ['The manual', 'upload://docs/', 'file'],
])('tells the kind of an upload by the name of its present file: %s at %s', (label, url, kind) => {
  expect(kindOf({ label, url, type: 'docs', pdfPages: null })).toBe(kind)
})
