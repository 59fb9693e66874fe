import { LISTED_BY_TOOL } from '@docent/contract/fields'
import { DocentError } from '#errors.ts'

/** The part of a list on a page, for queries. Pages count from 1. */
export const partOf = (page: number, pageSize: number) => ({ limit: pageSize, offset: (page - 1) * pageSize })

/** A place in a list that is ordered by time of creation and id. */
export type ListPlace = { createdAt: number; id: string }

/** An opaque cursor for the entries after this one. It stays valid if the entry is deleted. */
export const cursorAfter = ({ createdAt, id }: ListPlace): string =>
  Buffer.from(`${createdAt} ${id}`).toString('base64url')

/** The place in a cursor. Throws `400 invalid_input` for other text. */
export function placeOf(cursor: string): ListPlace {
  const match = /^(\d{1,15}) (\w{1,60})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'))
  if (match) return { createdAt: Number(match[1]), id: match[2] ?? '' }
  const text = 'cursor must come from the answer with the page before. Leave it out to begin with the first page.'
  throw new DocentError('invalid_input', { text })
}

type ListPosition = { limit?: number | undefined; cursor?: string | undefined }

/** The part of a list, newest first, at a position, and the cursor of the next part. Without a position: the list. */
export function pageOf<Row extends ListPlace>(rows: readonly Row[], { limit, cursor }: ListPosition) {
  const after = cursor === undefined ? null : placeOf(cursor)
  const rest = after ? rows.filter((row) => isAfter(row, after)) : rows
  const size = limit ?? (after ? LISTED_BY_TOOL : rest.length)
  const shown = rest.slice(0, size)
  const last = shown.at(-1)
  return { shown, next: last && rest.length > size ? cursorAfter(last) : null }
}

const isAfter = (row: ListPlace, { createdAt, id }: ListPlace): boolean =>
  row.createdAt < createdAt || (row.createdAt === createdAt && row.id < id)

/** Members of an answer with one page of a list. */
export function pagingOf<Size extends number>(page: number, pageSize: Size, total: number) {
  return { page, pageSize, total, totalPages: Math.ceil(total / pageSize) }
}
