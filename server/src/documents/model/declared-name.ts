/** Longer texts are not declarations. */
const LONGEST_DECLARATION = 1_000

/** The declared name: `drain` for `pub fn drain<R>(&mut self)`, qualified by its class in C++. Null for other texts. */
export function declaredName(text: string): string | null {
  const at = text.indexOf('(')
  if (at < 0 || text.length > LONGEST_DECLARATION) return null
  const operator = /(?:^|[\s*&])((?:\w+::)*operator\s?(?:\(\)|\[\]|[^\s\w(]{1,3}|[\w:]+[\s*&]*))\s?\(/.exec(text)?.[1]
  if (operator !== undefined) return operator
  const head = text
    .slice(0, at)
    .replaceAll(/<[^<>]*>/g, '')
    .replaceAll(/<[^<>]*>/g, '')
    .trimEnd()
  const name = head.slice(nameStart(head))
  if (name === '' || name.endsWith('operator')) return null
  return name.includes('::') || /\b(?:fn|func|def|fun|function)\s+$/.test(head.slice(0, -name.length)) ? name : null
}

/** Start of the name at the end of a text: `a::~B`, `pkg.run`. Equals the text length if there is none. */
function nameStart(text: string): number {
  let start = text.length
  for (let end = start; ;) {
    const word = wordStart(text, end)
    if (word === end) return start
    start = text[word - 1] === '~' ? word - 1 : word
    end = text.startsWith('::', start - 2) ? start - 2 : text[start - 1] === '.' ? start - 1 : -1
    if (end < 0) return start
  }
}

function wordStart(text: string, end: number): number {
  let start = end
  while (start > 0 && /[\w$]/.test(text[start - 1] ?? '')) start--
  return start
}
