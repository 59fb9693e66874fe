/** A longer declaration is written by nobody. */
const LONGEST_DECLARATION = 1_000

/** What a declaration declares: `drain` of `pub fn drain<R>(&mut self)`, with its class in C++; else null. */
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
  const name = /(?:~?[\w$]+(?:::|\.))*~?[\w$]+$/.exec(head)?.[0]
  if (name === undefined || name.endsWith('operator')) return null
  return name.includes('::') || /\b(?:fn|func|def|fun|function)\s+$/.test(head.slice(0, -name.length)) ? name : null
}
