import type { Terminal } from '../terminal.ts'

/** Lines around the change that are shown. */
const CONTEXT = 2

/** The lines that differ between two texts, with `-` and `+`, and a few around them. */
export function showChange(before: string, after: string, { colors }: Pick<Terminal, 'colors'>): string {
  const [old, next] = [linesOf(before), linesOf(after)]
  let start = 0
  while (start < old.length && start < next.length && old[start] === next[start]) start++
  let same = 0
  while (same < old.length - start && same < next.length - start && old.at(-1 - same) === next.at(-1 - same)) same++
  const from = Math.max(0, start - CONTEXT)
  const tail = next.slice(next.length - same, next.length - same + CONTEXT)
  return [
    ...next.slice(from, start).map((line) => `  ${line}\n`),
    ...old.slice(start, old.length - same).map((line) => colors.red(`- ${line}\n`)),
    ...next.slice(start, next.length - same).map((line) => colors.green(`+ ${line}\n`)),
    ...tail.map((line) => `  ${line}\n`),
  ].join('')
}

const linesOf = (text: string): string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'))
