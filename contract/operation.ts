import type { z } from 'zod'
import type { ErrorCode } from './errors.ts'

/**
 * One operation of the management interface, as data. REST routes, the OpenAPI description, the account-level MCP
 * tools, the typed client and the reference page are made from the list of these.
 */
export type Operation = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'PUT'
  /** With `{name}` for path parameters, as in OpenAPI. */
  path: `/api/${string}`
  /** Further method and path pairs that answer the same. */
  aliases?: readonly { method: Operation['method']; path: `/api/${string}` }[]
  /** `none`: open, `key`: any valid key, `account`: an account-wide key only (else `403 key_scoped`). */
  auth: 'none' | 'key' | 'account'
  summary: string
  /** Longer text for the reference, in Markdown. */
  description?: string
  /** Path parameters, query and body joined; what the handler gets after parsing. */
  input: z.ZodType
  output: z.ZodType
  errors: readonly ErrorCode[]
}

export function defineOperation<const O extends Operation>(operation: O): O {
  return operation
}
