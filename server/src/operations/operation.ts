import type { Operation, ResourceName } from '@docent/contract/operation'
import type { OperationId, operations } from '@docent/contract/operations'
import type { SourceDetection, SourceType } from '@docent/contract/sources'
import type { BuiltInToolName } from '@docent/contract/tools'
import type { z } from 'zod'
import type { Actor } from '#auth/authenticate.ts'
import type { LinkedTokens } from '#auth/linked-tokens.ts'
import type { CheckPassword } from '#auth/password-checks.ts'
import type { Vault } from '#auth/vault.ts'
import type { Config } from '#config.ts'
import type { Clock } from '#lib/clock.ts'
import type { NetClient } from '#net/client.ts'
import type { Explanation } from '#search/explain-search.ts'
import type { ServedServer } from '#store/served.ts'
import type { Db, Store } from '#store/db.ts'
import type { HostApp } from '#upstream/host-app.ts'
import type { OpenLiveSession } from '#upstream/live-sessions.ts'
import type { ProgressFeed } from './events/progress-feed.ts'
import type { resources } from './find-resource.ts'

/** What operations may use; made once by the service. */
export type OperationDeps = {
  store: Store
  clock: Clock
  config: Pick<Config, 'rateLimits' | 'githubApiUrl'>
  /** Where clients reach the service, without a trailing slash. */
  baseUrl: () => string
  /** The address as a URL that could be fetched: http(s), a host, no credentials, no forbidden port. Else what is wrong. */
  readAddress: (text: string) => { address: URL } | { problem: string }
  /** Whether the address must not be indexed, by its text alone. */
  isPrivateByText: (address: URL) => boolean
  /**
   * Whether the address leads to, or resolves to, an address that must not be indexed; `unresolved` where no name server
   * answers for it in time. Look-ups of an account take turns with those of others, and end with `signal`, whose reason
   * is thrown then.
   */
  checkAddress: (
    address: URL,
    by: { account: string; signal: AbortSignal },
  ) => Promise<'private' | 'unresolved' | 'fine'>
  /** Whether a password is the one that was hashed; takes turns with what other networks have checked. */
  checkPassword: CheckPassword
  /** Looks at what an address leads to; `guess` is what the address alone suggests. */
  detectSource: (address: URL, guess: SourceType) => Promise<Omit<SourceDetection, 'url'>>
  /** The one door out. */
  net: NetClient
  /** Secrets at rest. */
  vault: Vault
  /** Tokens of linked accounts at code hosts. */
  linkedTokens: LinkedTokens
  /** Apps of this instance at code hosts, by host. */
  hostApps: ReadonlyMap<string, HostApp>
  /** Connects to a remote MCP server, within the limits of live calls. */
  openLiveSession: OpenLiveSession
  /** JSON Schema of the arguments of a built-in tool, on a server with these sources. */
  inputSchemaOf: (tool: BuiltInToolName, sources: readonly { type: SourceType }[]) => Record<string, unknown>
  /** How far servers are, for streams. */
  progressFeed: ProgressFeed
  /** Tells the worker that there is something on the queue; `taken`: a job that may be running was taken to begin anew. */
  wakeWorker: (how?: { taken?: boolean }) => void
  /** Hears that a key or a session was used, without a write for each request. */
  noteUse: (credential: Pick<Actor['credential'], 'kind' | 'id'>) => void
  /** Resolves when every call that this node has answered is in the request log. */
  flushCalls: () => Promise<void>
  /** Does a recorded call again and says what it searched and found. */
  traceCall: (
    server: ServedServer,
    call: { tool: string; arguments: string; error: string | null },
  ) => Promise<{
    searches: Explanation[]
    remark: string | null
  }>
  /** What this instance can do, whatever the plan. */
  features: Features
}

/** The body of a request as it comes; `declared` is its length where the caller has told it. */
export type BodyBytes = { declared: number | null; chunks: AsyncIterable<Uint8Array> }

export type Features = {
  /** Tools can be built from a sentence. */
  customTools: boolean
  /** Rules can be compiled from a sentence. */
  retrievalRules: boolean
  llm: boolean
  embeddings: boolean
  javascriptRendering: boolean
}

/** What a door for browsers knows of who is there, and does for them. */
export type Visitor = {
  /** Where the request comes from. */
  address: string
  userAgent: string | null
  /** The session's cookie; it counts where there is no `Authorization`. */
  sessionSecret: string | null
  /** Whose page sent the request: the service's own, another site's, or unknown, as of a program. */
  sender: 'own' | 'foreign' | 'unknown'
  keepSession: (secret: string, forMs: number) => void
  forgetSession: () => void
}

/** One call of an operation, as its door hands it in. */
export type Call = {
  deps: OperationDeps
  authorization: string | null
  visitor?: Visitor
  /** The `Idempotency-Key` header, for operations that honour it. */
  idempotencyKey?: string | null
  /** The bytes of the request, for operations that take them. */
  body?: BodyBytes
  /** Aborted when nobody waits for the answer any more; its reason is what an operation that ends with it throws. */
  signal: AbortSignal
}

type Input<Id extends OperationId> = z.output<(typeof operations)[Id]['input']>
type Answer<O extends Operation> = O extends { produces: string }
  ? AsyncIterable<z.input<O['output']>>
  : z.input<O['output']> | Slices<z.input<O['output']>>
/** A long list can be given slice by slice, so that others have their turn in between. The caller gets one list. */
type Slices<List> = List extends readonly unknown[] ? AsyncIterable<List> : never

type Who<O extends Operation> = O extends { auth: 'none' } ? { actor: Actor | null } : { actor: Actor }
type Which<O extends Operation> = O extends { resource: infer R extends ResourceName }
  ? Awaited<ReturnType<(typeof resources)[R]>>
  : unknown
type Body<O extends Operation> = O extends { consumes: string } ? { body: BodyBytes } : unknown
type Once<O extends Operation> = O extends { onceByKey: true } ? { remember: Remember<z.input<O['output']>> } : unknown

/**
 * Keeps the answer for the request's `Idempotency-Key`, if it has one. Called as the last thing in the transaction that
 * creates, so that the answer is kept if and only if what it tells of exists.
 */
export type Remember<Answer> = (tx: Db, answer: Answer) => Promise<void>

/** A call after its caller and its resource have been checked: all that a handler gets beside its input. */
export type CheckedCall<Id extends OperationId> = {
  deps: OperationDeps
  visitor: Visitor | undefined
  signal: AbortSignal
  /** Looks again who calls, for answers that go on; null when what the caller showed is of no use any more. */
  admitAgain: () => Promise<Actor | null>
} & Who<(typeof operations)[Id]> &
  Which<(typeof operations)[Id]> &
  Once<(typeof operations)[Id]> &
  Body<(typeof operations)[Id]>

export type Handler<Id extends OperationId> = (
  call: CheckedCall<Id>,
  input: Input<Id>,
) => Promise<Answer<(typeof operations)[Id]>>
