import { hash } from 'node:crypto'
import { z } from 'zod'
import { ToolError } from '../definition/tool-result.ts'

/** Text without white space around it, of at most `most` characters. */
export const textArgument = (most: number, meaning: string) => z.string().trim().min(1).max(most).describe(meaning)
export const optionalTextArgument = (most: number, meaning: string) =>
  z.string().trim().max(most).optional().describe(meaning)

/** What to search for. May be left out where something else can be asked for. */
export const optionalQueryArgument = (meaning: string) =>
  z.string().trim().min(1).max(4_000).optional().describe(meaning)

export const sourceArgument = z.string().max(2_000).optional().describe('Only this source: its id, label or address')

export const versionArgument = optionalTextArgument(
  60,
  'Only pages whose address says that they are for this version, such as 2, v3.1 or latest',
)

const CURSOR = 'nextCursor of the previous answer, to go on from there'
export const cursorArgument = z.string().max(200).optional().describe(CURSOR)

export const pageArgument = optionalTextArgument(
  2_000,
  'Instead of a search, read this page: its address as cited. With a fragment, reading begins at that section. "query" and "limit" are then not used',
)

/** Creates an opaque cursor: the offset and a digest of the query, so that the cursor is rejected for another query. */
export function writeCursor(offset: number, scope: string): string {
  return Buffer.from(`${offset}.${digest(scope)}`).toString('base64url')
}

/** The offset in a cursor, 0 without one. Throws a `ToolError` for an invalid cursor, or one of another query. */
export function readCursor(cursor: string | undefined, scope: string): number {
  if (cursor === undefined) return 0
  const match = /^(\d{1,6})\.([\w-]+)$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'))
  if (!match)
    throw new ToolError('arguments', 'This cursor is not one of ours. Leave it out to start at the first page.')
  if (match[2] === digest(scope)) return Number(match[1])
  const correction = 'Repeat the search it came from, or leave the cursor out.'
  throw new ToolError('arguments', `This cursor belongs to another search. ${correction}`)
}

function digest(scope: string): string {
  return hash('sha256', scope, 'base64url').slice(0, 8)
}
