/** What people call the signs that messages of compilers and linters quote (`unexpected ','`), and pages write out. */
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
/** What is a sign of its own only in quotation marks: elsewhere it ends a sentence, or stands for a word left out. */
const PUNCTUATION = /^[.,:?()]$/
const QUOTE = /['"`]/

/** Names of the signs that stand alone in a text, each once. */
export function nameSymbols(text: string): string[] {
  const found = [...text.matchAll(LONE)].filter(
    ({ 0: sign, index }) => !PUNCTUATION.test(sign) || QUOTE.test(text[index - 1] ?? ''),
  )
  return [...new Set(found.flatMap(([sign]) => names.get(sign) ?? []))]
}
