import type { Block } from '../document.ts'

/** Code with more lines is an example, not a signature. */
const MOST_LINES = 15

/** True if a heading is one name, and the code directly below it has that name: a signature, or a call. */
export function isDeclaredBelow(heading: string, block: Block, markdown: string): boolean {
  if (block.kind !== 'code') return false
  // `push()`, `computeIfAbsent`, `g_hash_table_new ()`: one name, with or without arguments.
  const name = /^([\w$.:~]*[\w$])\s?(?:\(.*\))?$/.exec(heading)?.[1]?.split(/[.:]/).at(-1)
  if (name === undefined) return false
  const code = markdown.slice(block.codeStart, block.codeEnd)
  if (code.split('\n', MOST_LINES + 1).length > MOST_LINES) return false
  const at = code.indexOf(name)
  return at >= 0 && !/[\w$]/.test(code[at - 1] ?? '') && !/[\w$]/.test(code[at + name.length] ?? '')
}
