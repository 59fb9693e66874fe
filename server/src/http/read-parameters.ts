import type { Operation } from '@docent/contract/operation'
import { takesBody } from '@docent/contract/takes-body'
import type { Context } from 'hono'
import { DocentError } from '#errors.ts'
import { isNestedDeeper } from '#lib/json-depth.ts'
import type { Given } from '#operations/run.ts'
import type { IncomingBody } from './incoming-body.ts'
import { withoutNul } from './without-nul.ts'

/** Bytes of a management request's body; the longest legitimate one, 8 sources with their labels, is far below. */
const BODY_LIMIT = 1024 * 1024
/** Levels of arrays and objects in a body. No operation has more than five; the stack holds thousands. */
const DEPTH_LIMIT = 100

/**
 * The parameters of a management request: those of the path, and the body or the query. A body that cannot be read is
 * not an error yet, since whether there is such a resource and who asks is answered first.
 */
export async function readParameters(c: Context, operation: Operation, incoming: IncomingBody | null): Promise<Given> {
  const { path, rest: query } = readQuery(c)
  if (!incoming || !takesBody(operation)) return { path, rest: query }
  const body = await readObject(incoming)
  return { path, rest: body instanceof DocentError ? body : { ...query, ...body } }
}

/** The parameters of a request without a body, or with one that is read elsewhere. */
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
