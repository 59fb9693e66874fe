import { linesOf } from '../text-lines.ts'

/** A bold term with its entries, the Markdown form of a definition list. */
export type Term = { term: string; items: string[] }

const TERM = /^\*\*([^*\n]{1,60}?):?\*\*[ \t]*$/

/** Terms of a text, each with its definitions or list items. Joins continuation lines. */
export function readTerms(markdown: string): Term[] {
  const terms: Term[] = []
  let open: Term | null = null
  for (const line of linesOf(markdown)) {
    const term = TERM.exec(line)?.[1]
    if (term !== undefined) {
      open = { term, items: [] }
      terms.push(open)
      continue
    }
    const item = /^(?:: ?|[-*+] )(.*)$/.exec(line)?.[1]
    if (open === null || line.trim() === '') continue
    if (item !== undefined) open.items.push(item.trim())
    else if (/^\s/.test(line) && open.items.length > 0) open.items.push(`${open.items.pop()} ${line.trim()}`)
    else open = null
  }
  return terms.filter(({ items }) => items.length > 0)
}
