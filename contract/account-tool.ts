import type { RateLimit } from './rate-limit.ts'

/**
 * The tool of the account-level MCP endpoint that makes the request of an operation. Schema and description of each
 * argument come from the operation's input.
 */
export type AccountTool = {
  name: string
  title: string
  /** For the model that chooses a tool: its result, when to use it, and what to do next. */
  description: string
  /** `read` changes nothing. `delete` destroys something and needs the argument `confirm`. */
  kind: 'read' | 'write' | 'delete'
  /** A repeated call changes nothing more. True of all tools that read or delete. */
  idempotent?: boolean
  /** The service fetches from addresses outside of it. */
  openWorld?: boolean
  /** Arguments in the order of the list. `server` is an id or a slug for every operation. */
  arguments: Readonly<Record<string, ArgumentOf>>
  /** Completes “This would delete …”. `{name}` is the thing found; the others are arguments. Required of `delete`. */
  deletes?: string
  /** Values of arguments that are absent, where the operation has others. */
  defaults?: Readonly<Record<string, unknown>>
  /** Members of the result that hold text of strangers, in words. The result says so to the model. */
  strangers?: string
  /** The members that hold it, if only some results have one. */
  strangersIn?: readonly string[]
  /** Operations whose answers together are the result, by the member that holds each. Default: this one. */
  parts?: Readonly<Record<string, string>>
}

/** The field of the operation's input that an argument fills. `members`: those of the items of a list. */
export type ArgumentOf = string | { field: string; members?: readonly string[]; required?: true }

export const ACCOUNT_ENDPOINT_RATE: RateLimit = {
  limit: 120,
  windowMs: 60_000,
  of: 'messages with one API key to the endpoint of the account',
}

export const ACCOUNT_ENDPOINT_PATH = '/api/headless/mcp'
