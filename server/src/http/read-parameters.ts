import type { Operation } from '@docent/contract/operation'
import { takesBody } from '@docent/contract/takes-body'
import type { Context } from 'hono'
import { DocentError } from '#errors.ts'
import { isNestedDeeper } from '#lib/text/json-depth.ts'
import type { Given } from '#operations/operation.ts'
import type { IncomingBody } from './incoming-body.ts'
import { withoutNul } from './without-nul.ts'

/** Maximum bytes of a management request body. The longest legitimate body, 8 sources with labels, is far below. */
const BODY_LIMIT = 1024 * 1024
/** Maximum JSON depth of a body. Operations need at most five levels; the stack holds thousands. */
const DEPTH_LIMIT = 100

/**
 * Reads the parameters of a management request from the path, and from the body or the query. An unreadable body is not
 * an error yet: authentication and existence are checked first.
 */
export async function readParameters(c: Context, operation: Operation, incoming: IncomingBody | null): Promise<Given> {
  const { path, rest: query } = readQuery(c)
  if (!incoming || !takesBody(operation)) return { path, rest: query }
  const body = await readObject(incoming)
  return { path, rest: body instanceof DocentError ? body : { ...query, ...body } }
}

/** The parameters of a request without a body, or with a body that is read elsewhere. */
export function readQuery(c: Context): { path: Record<string, string>; rest: Record<string, unknown> } {
  return { path: withoutNul(c.req.param() as Record<string, string>), rest: withoutNul(c.req.query()) }
}

async function readObject(incoming: IncomingBody): Promise<Record<string, unknown> | DocentError> {
  try {
    const text = await incoming.text(BODY_LIMIT)
    if (text === null) return new DocentError('invalid_json')
    if (text.trim() === '') return {}
    if (isNestedDeeper(text, DEPTH_LIMIT)) return new DocentError('invalid_json')
    const body: unknown = JSON.parse(text)
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return new DocentError('invalid_json')
    return text.includes('\\u0000') ? withoutNul({ ...body }) : { ...body }
  } catch (error) {
    if (error instanceof DocentError) return error
    if (error instanceof SyntaxError) return new DocentError('invalid_json')
    throw error
  }
}
