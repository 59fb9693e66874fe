/**
 * Names of the symbols quoted by messages of compilers and linters (`unexpected ','`), as written out in documentation.
 */
const names = new Map<string, readonly string[]>([
  [',', ['comma']],
  [';', ['semicolon']],
  [':', ['colon']],
  ['.', ['dot']],
  ['(', ['parentheses']],
  [')', ['parentheses']],
  ['()', ['function']],
  ['[', ['bracket']],
  [']', ['bracket']],
  ['[]', ['array']],
  ['{', ['brace']],
  ['}', ['brace']],
  ['{}', ['object']],
  ['*', ['asterisk', 'star']],
  ['=>', ['arrow']],
  ['=', ['assignment']],
  ['...', ['spread']],
  ['+', ['plus']],
  ['#', ['hash']],
  ['?', ['question']],
])

const LONE = /(?<=^|[\s'"`])(?:[,;:.()[\]{}*+=#?]|=>|\.{3}|\(\)|\[\]|\{\})(?=[\s'"`.]|$)/g
/** These signs count only in quotation marks. Elsewhere they end a sentence or mark an omission. */
const PUNCTUATION = /^[.,:?()]$/
const QUOTE = /['"`]/

/** Distinct names of the isolated symbols in a text. */
export function nameSymbols(text: string): string[] {
  const found = [...text.matchAll(LONE)].filter(
    ({ 0: sign, index }) => !PUNCTUATION.test(sign) || QUOTE.test(text[index - 1] ?? ''),
  )
  return [...new Set(found.flatMap(([sign]) => names.get(sign) ?? []))]
}
