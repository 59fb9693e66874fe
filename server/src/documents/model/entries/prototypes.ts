import type { CodeBlock, Span } from '../document.ts'
import { linesOf } from '../read-block.ts'

/** Lines of code that declares. More are an example. */
const MOST_LINES = 40
/** Functions that one block declares. */
const MOST_NAMES = 8
/** Characters of one declaration. */
const LONGEST = 1_000
/** Line starts that are statements with a call. */
const STATEMENT = /^[ \t]*(?:return|await|new|else|throw|yield|assert|default|export default|case|in|typeof|select)\b/i
/** The types before the declared name. */
const TYPES = /^[ \t]*\w[\w:<>,*& \t]*[\s*&]$/
const WORD = /[\w$]/

/** Names of the functions that code declares without bodies: `int name(char *text);`. A call is no declaration. */
export function prototypesIn(text: string, { codeStart, codeEnd }: CodeBlock): Span[] {
  const names: Span[] = []
  let lines = 0
  for (const { start, end } of linesOf(text, { start: codeStart, end: codeEnd })) {
    if (++lines > MOST_LINES || names.length >= MOST_NAMES) break
    const open = text.indexOf('(', start)
    if (open < 0) break
    if (open >= end || open - start > LONGEST) continue
    const name = nameBefore(text, start, open)
    if (name !== null && endsAt(text, open, Math.min(codeEnd, open + LONGEST))) names.push(name)
  }
  return names
}

function nameBefore(text: string, start: number, open: number): Span | null {
  let end = open
  while (end > start && text[end - 1] === ' ') end--
  let from = end
  while (from > start && WORD.test(text[from - 1] ?? '')) from--
  const before = text.slice(start, from)
  return from < end && TYPES.test(before) && !STATEMENT.test(before) ? { start: from, end } : null
}

/** True if a semicolon follows the parenthesis that closes the parameters. */
function endsAt(text: string, open: number, limit: number): boolean {
  let depth = 0
  for (let at = open; at < limit; at++) {
    if (text[at] === '(') depth++
    else if (text[at] === ')' && --depth === 0) {
      const rest = text.slice(at + 1, Math.min(limit, at + 120))
      return /^[^{}\n=]{0,100};/.test(rest)
    }
  }
  return false
}
