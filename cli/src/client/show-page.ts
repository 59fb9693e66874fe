import { type Options, type Shown, given, numberOf } from './client-command.ts'

export const PAGE = ['--page <number>', 'page of the list, from 1'] as const

export const pageOf = (options: Options): { page?: number } => given({ page: numberOf(options, 'page') })

type Page = { page: number; totalPages: number; total: number }
type Table = { head: readonly string[]; rows: readonly (readonly string[])[]; none: string }

/** A page of a list as a table, with a note if there are several pages. `none` is the sentence for an empty page. */
export function showPage(answer: Page, { head, rows, none }: Table): Shown {
  if (rows.length === 0) return { json: answer, notes: [none] }
  const { page, totalPages, total } = answer
  const next = page < totalPages ? ` The next one: --page ${page + 1}` : ''
  const notes = totalPages < 2 ? [] : [`Page ${page} of ${totalPages}, of ${total} in total.${next}`]
  return { json: answer, table: [head, ...rows], notes }
}
