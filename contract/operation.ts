import type { z } from 'zod'
import type { AccountTool } from './account-tool.ts'
import type { ErrorCode } from './errors.ts'
import type { RateLimit } from './rate-limit.ts'
import type { KeyScope, Role } from './values/permissions.ts'

/**
 * One operation of the management interface, as data. REST routes, the OpenAPI document, the account-level MCP tools,
 * the typed client and the reference page are generated from the list of operations.
 */
export type Operation = OperationRow & Access

/**
 * Who may call an operation. `none`: anybody, `key`: any valid key, `account`: an account-wide key only (else `403
 * key_scoped`). A session counts as an account-wide key, unless its member sees only some servers. `person`: as
 * `account`, and every session, since it is about the person. `operator`: as `account`, of the instance's operator (else
 * `403 operator_only`). `developer`: a session or a client secret. `client`: a client secret with its `clientId` in the
 * input, and no browser. `needs`: the least role of a member, and the scope of a key (else `403 not_permitted`).
 */
type Access =
  | { auth: 'none' | 'client'; needs?: never }
  | { auth: 'key' | 'account' | 'person' | 'operator' | 'developer'; needs: readonly [role: Role, scope: KeyScope] }

type OperationRow = {
  method: Method
  /** With `{name}` for path parameters, as in OpenAPI. */
  path: `/api/${string}`
  /** Further pairs of method and path with the same answer. */
  aliases?: readonly { method: Method; path: `/api/${string}` }[]
  /**
   * The resource that the path's parameters name. It is looked up within the caller's access before any other check.
   */
  resource?: ResourceName
  /** Per account. Refused requests count too, except those that are refused before the limit is checked. */
  rateLimit?: RateLimit
  /** Honours an `Idempotency-Key`: a repeated request within 24 hours gets the first one's answer. */
  onceByKey?: true
  /** Whether it is in the audit log. Default: changes are, reads are not. */
  audited?: boolean
  /** Values of inputs with which a request publishes or deletes, where its scope does not say so. */
  publishes?: Readonly<Record<string, unknown>>
  /** Acts outside the database, so that the audit log has it before, also if it is then refused. */
  actsOutside?: true
  /** Required feature of the account's plan; without it the answer is 403. */
  feature?: 'requestLog'
  /** Error for a body that is not a JSON object, if it differs from `invalid_json`. */
  unreadableBody?: ErrorCode
  /** The body is raw bytes for the handler; all fields of the input are in the path or the query. */
  consumes?: 'application/octet-stream'
  /** The answer is a stream of items, each described by `output`, instead of one JSON body. */
  produces?: StreamForm
  /** The tool of the account-level MCP endpoint that makes this request. */
  tool?: AccountTool
  summary: string
  /** Longer text for the reference, in Markdown. */
  description?: string
  /**
   * Path parameters, query and body joined; the handler gets the parsed value. If an issue's message is an error code
   * of the table, the answer is that error. Members are checked in the order of the schema.
   */
  input: z.ZodType
  /** Fields that, when present, override others, whatever those contain. Null counts as absent. */
  overrules?: Readonly<Record<string, readonly string[]>>
  output: z.ZodType
  errors: readonly ErrorCode[]
  /** A request and its answer for the reference. Long ones are in `reference/examples/` instead. */
  example?: OperationExample
}

/** `note` says how the answer was shortened. The output of a stream is a list of items. */
export type OperationExample = { input: object; output: unknown; note?: string }

/**
 * Encoding of a stream of items: one per line, as server-sent events named after the item's `type`, or as table rows,
 * in JSON or CSV by the input's `format`.
 */
export type StreamForm = 'application/x-ndjson' | 'text/event-stream' | 'table'

/**
 * `restorableServer`: a live server, or a deleted one before its purge. `serverInBody`: a server named in the body by
 * id or slug. `sourceInBody`: a server, and the source that the body names by id or address, if it has it. `serverOfRules`: a server named in the query or the body, with an optional source. `session`: an optional
 * session in the body. `configuration`: an active widget configuration, as its pages see it. `configurationInBody`: the
 * same, named in the body. `ownConfiguration`: a configuration of the caller. `purchase`: one of the account.
 * `anyPurchase`, `failedJob` and `anyAccount`: those of the instance, for its operator. `delivery`: one of a
 * webhook of the account.
 */
export type ResourceName =
  | 'server'
  | 'restorableServer'
  | 'serverInBody'
  | 'source'
  | 'sourceInBody'
  | 'accessToken'
  | 'apiKey'
  | 'approval'
  | 'connection'
  | 'oauthClient'
  | 'member'
  | 'invitation'
  | 'codeHost'
  | 'siteAccess'
  | 'pushedSource'
  | 'customTool'
  | 'rule'
  | 'pin'
  | 'call'
  | 'serverOfRules'
  | 'session'
  | 'configuration'
  | 'configurationInBody'
  | 'ownConfiguration'
  | 'purchase'
  | 'anyPurchase'
  | 'failedJob'
  | 'anyAccount'
  | 'webhook'
  | 'delivery'

/** True for operations that publish, delete or issue something, so that a key can need an approval for them. */
export const canNeedApproval = (operation: Pick<Operation, 'method' | 'needs' | 'path' | 'publishes'>): boolean => {
  const { method, needs, path, publishes } = operation
  // Keys cannot approve at all.
  return publishes !== undefined || (method !== 'GET' && needs?.[1] === 'publish' && !path.startsWith('/api/approvals'))
}

/** True if such an operation does so with this input. */
export const doesPublish = ({ publishes }: Pick<Operation, 'publishes'>, input: unknown): boolean =>
  Object.entries(publishes ?? {}).every(([name, value]) => (input as Record<string, unknown>)[name] === value)

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'PUT'

export function defineOperation<const O extends Operation>(operation: O): O {
  return operation
}
