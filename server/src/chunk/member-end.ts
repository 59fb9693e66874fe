import type { Block } from '#extract/extracted-page.ts'

/** Code with more lines is an example, not a signature. */
const MOST_LINES = 15

/**
 * Returns the end of the API member at heading `index`: the next heading at its level or above, or the place where the
 * enclosing section resumes. Null if the heading is no member: a member heading declares it, or code with its name
 * follows at once. A heading without text before the next heading belongs to its enclosing section.
 */
export function memberEnd(blocks: readonly Block[], index: number, markdown: string): number | null {
  const heading = blocks[index]
  const below = blocks[index + 1]
  if (heading?.kind !== 'heading' || below === undefined || below.kind === 'heading') return null
  if (!heading.declares && !isDeclaredBelow(heading.text, below, markdown)) return null
  for (let at = index + 1; at < blocks.length; at++) {
    const block = blocks[at]
    const level = block?.kind === 'heading' ? block.level : (block?.resumes ?? Infinity) + 1
    if (block && level <= heading.level) return block.start
  }
  return blocks.at(-1)?.end ?? null
}

function isDeclaredBelow(heading: string, block: Block, markdown: string): boolean {
  if (block.kind !== 'code') return false
  // `push()`, `computeIfAbsent`, `g_hash_table_new ()`: one name, with or without arguments.
  const name = /^([\w$.:~]*[\w$])\s?(?:\(.*\))?$/.exec(heading)?.[1]?.split(/[.:]/).at(-1)
  if (name === undefined) return false
  const code = markdown.slice(block.codeStart, block.codeEnd)
  if (code.split('\n', MOST_LINES + 1).length > MOST_LINES) return false
  const at = code.indexOf(name)
  return at >= 0 && !/[\w$]/.test(code[at - 1] ?? '') && !/[\w$]/.test(code[at + name.length] ?? '')
}
