import { hash } from 'node:crypto'
import { ToolError } from '#mcp/definition/tool-error.ts'

/** Creates an opaque cursor: the offset and a digest of the query, so that the cursor is rejected for another query. */
export function writeCursor(offset: number, scope: string): string {
  return Buffer.from(`${offset}.${digest(scope)}`).toString('base64url')
}

/** Reads the offset from a cursor. Throws a `ToolError` for an invalid cursor, or one of another query. */
export function readCursor(cursor: string, scope: string): number {
  const match = /^(\d{1,6})\.([\w-]+)$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'))
  if (!match)
    throw new ToolError('arguments', 'This cursor is not one of ours. Leave it out to start at the first page.')
  if (match[2] !== digest(scope)) {
    throw new ToolError(
      'arguments',
      'This cursor belongs to another search. Repeat the search it came from, or leave the cursor out.',
    )
  }
  return Number(match[1])
}

function digest(scope: string): string {
  return hash('sha256', scope, 'base64url').slice(0, 8)
}
