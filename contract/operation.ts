import type { z } from 'zod'
import type { ErrorCode } from './errors.ts'

/**
 * One operation of the management interface, as data. REST routes, the OpenAPI description, the account-level MCP
 * tools, the typed client and the reference page are made from the list of these.
 */
export type Operation = {
  method: Method
  /** With `{name}` for path parameters, as in OpenAPI. */
  path: `/api/${string}`
  /** Further method and path pairs that answer the same. */
  aliases?: readonly { method: Method; path: `/api/${string}` }[]
  /**
   * `none`: open, `key`: any valid key, `account`: an account-wide key only (else `403 key_scoped`). A session stands in
   * for an account-wide key on both.
   */
  auth: 'none' | 'key' | 'account'
  /** What the path's parameters name. It is looked up, within the caller's reach, before anything else is checked. */
  resource?: ResourceName
  /** Requests let through for each account in any span of `windowMs` milliseconds. */
  rateLimit?: { limit: number; windowMs: number }
  /** An `Idempotency-Key` is honoured: the same request sent again within 24 hours gets the first one's answer. */
  onceByKey?: true
  /** What of the account's plan it needs; without it the caller is told so (403). */
  feature?: 'requestLog'
  /** What a body that is no JSON object is answered with, where the contract has other words than `invalid_json`. */
  unreadableBody?: ErrorCode
  /** The body is not JSON but bytes, which the handler reads; every field of the input is in the path or the query. */
  consumes?: 'application/octet-stream'
  /** The answer is not one JSON body but a stream of items, each as `output` says. */
  produces?: StreamForm
  summary: string
  /** Longer text for the reference, in Markdown. */
  description?: string
  /**
   * Path parameters, query and body joined; what the handler gets after parsing. An issue whose message is an error
   * code of the table is answered as that error, in the order of the schema's members.
   */
  input: z.ZodType
  /** Fields by whose presence others are ignored, whatever those hold; null counts as absent. */
  overrules?: Readonly<Record<string, readonly string[]>>
  output: z.ZodType
  errors: readonly ErrorCode[]
}

/**
 * How a stream of items is written: one a line, as server-sent events whose name is the item's `type`, or as the rows
 * of a table, which is JSON or CSV as the input's `format` asks.
 */
export type StreamForm = 'application/x-ndjson' | 'text/event-stream' | 'table'

/**
 * `restorableServer` is a server that is live or deleted and not yet purged; `serverInBody` is named there by id or slug;
 * `serverOfRules` is named by id in the query or the body, and so may be one of its sources; `session` is named in the
 * body, if at all; the others speak for themselves.
 */
export type ResourceName =
  | 'server'
  | 'restorableServer'
  | 'serverInBody'
  | 'source'
  | 'accessToken'
  | 'apiKey'
  | 'codeHost'
  | 'customTool'
  | 'rule'
  | 'call'
  | 'serverOfRules'
  | 'session'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'PUT'

export function defineOperation<const O extends Operation>(operation: O): O {
  return operation
}
