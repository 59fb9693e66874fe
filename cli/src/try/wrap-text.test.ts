import { expect, test } from 'vitest'
import { wrapText } from './wrap-text.ts'

test.each([
  ['short', 'short'],
  ['one two three four', 'one two\nthree four'],
  ['- one two three', '- one two\n  three'],
  ['2. one two three', '2. one two\n   three'],
  ['averyveryverylongword and more', 'averyveryverylongword\nand more'],
  ['```\none two three four\n```', '```\none two three four\n```'],
  ['| one | two | three |', '| one | two | three |'],
  ['', ''],
])('wraps %j to %j', (text, wrapped) => expect(wrapText(text, 10)).toBe(wrapped))
