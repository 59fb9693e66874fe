import type { Operation, ResourceName } from '@docent/contract/operation'
import type { OperationId, operations } from '@docent/contract/operations'
import type { SourceDetection, SourceType } from '@docent/contract/values/sources'
import type { BuiltInToolName } from '@docent/contract/values/tools'
import type { z } from 'zod'
import type { AnswerEmbedded, EmbeddedQuestion } from '#answer/answer.ts'
import type { Actor } from '#auth/authenticate.ts'
import type { LinkedTokens } from '#auth/linked-tokens.ts'
import type { CheckPassword } from '#auth/password.ts'
import type { Vault } from '#auth/vault.ts'
import type { PaymentProvider } from '#billing/purchases.ts'
import type { Builds } from '#builder/open-builds.ts'
import type { Config } from '#config.ts'
import type { Backups } from '#backup/open-backups.ts'
import type { DocentError } from '#errors.ts'
import type { Clock } from '#lib/clock.ts'
import type { NetClient } from '#net/client.ts'
import type { CompiledRule, RuleCompiler } from '#rules/compile-rule.ts'
import type { PlaceAnswer, PlaceQuestion } from '#grammar/read-with-places.ts'
import type { DraftedSentence } from '#rules/improve-by-model.ts'
import type { CallPreview, Explanation, RecordedCall } from '#search/explain-search.ts'
import type { PassagePlace } from '#search/passage.ts'
import type { SearchRule } from '#search/rules/active-rules.ts'
import type { SearchPin, SectionAddress } from '#search/rules/pinned-sections.ts'
import type { StoredQuestion } from '#store/sources/questions.ts'
import type { ServedServer } from '#store/servers/served.ts'
import type { Db, Store } from '#store/db.ts'
import type { DeliveryRow } from '#store/webhooks/deliveries.ts'
import type { WebhookRow } from '#store/webhooks/webhooks.ts'
import type { ReachedLimit } from '#webhooks/announce.ts'
import type { HostApp } from '#upstream/host-app.ts'
import type { SignInProvider } from '#upstream/sign-in-provider.ts'
import type { OpenLiveSession } from '#upstream/connect-remote-mcp.ts'
import type { ProgressFeed } from './servers/events.ts'
import type { resources } from './find-resource.ts'

/** Input as read by the transport. The error of an unreadable body is thrown when the body is validated. */
export type Given = { path: Record<string, string>; rest: Record<string, unknown> | DocentError }

type LookUpAsker = { account: string; signal: AbortSignal }

/** Dependencies of operations, created once by the service. */
export type OperationDeps = {
  store: Store
  clock: Clock
  config: Pick<
    Config,
    | 'approvals'
    | 'rateLimits'
    | 'githubApiUrl'
    | 'signUps'
    | 'passwordSignIn'
    | 'oauthAccount'
    | 'oauthDocuments'
    | 'defaultPlan'
    | 'planPrices'
  >
  instance: InstanceFacts
  backups: Pick<Backups, 'list' | 'begin'>
  /** External base URL of the service, without a trailing slash. */
  baseUrl: () => string
  /** True if the text of the address names this service: its external URL, or another name of its listener. */
  isOwnAddress: (address: URL) => boolean
  /** True if the text of the address alone forbids indexing. */
  isPrivateByText: (address: URL) => boolean
  /** Whether the address leads to what must not be indexed. `unresolved`: no name server answered in time. */
  checkAddress: (address: URL, by: LookUpAsker) => Promise<'private' | 'unresolved' | 'fine'>
  checkPassword: CheckPassword
  /** Detects the source type behind an address. `guess` is the type suggested by the address alone. */
  detectSource: (address: URL, guess: SourceType) => Promise<Omit<SourceDetection, 'url'>>
  /** Throws `UpstreamError` if the host of an address shows no repository there. Not for linked accounts. */
  lookUpRepository: (address: URL) => Promise<void>
  net: NetClient
  vault: Vault
  linkedTokens: LinkedTokens
  hostApps: ReadonlyMap<string, HostApp>
  /** By id. */
  signInProviders: ReadonlyMap<string, SignInProvider>
  openLiveSession: OpenLiveSession
  /** JSON Schema of a built-in tool's arguments, on a server with these sources. */
  inputSchemaOf: (tool: BuiltInToolName, sources: readonly { type: SourceType }[]) => Record<string, unknown>
  payments: PaymentProvider
  testWebhook: (webhook: WebhookRow, signal: AbortSignal) => Promise<DeliveryRow>
  /** Makes one attempt at a delivery now and returns it. Throws `409 delivery_under_way` during another attempt. */
  resendDelivery: (delivery: DeliveryRow, signal: AbortSignal) => Promise<DeliveryRow>
  /** Tells the webhooks of an account about a limit, once per calendar month. Never rejects. */
  announceLimit: (reached: ReachedLimit) => Promise<void>
  progressFeed: ProgressFeed
  builds: Pick<Builds, 'follow'>
  /** Wakes the worker to poll the queue. `taken`: a possibly running job was revoked to begin anew. */
  wakeWorker: (how?: { taken?: boolean }) => void
  /** Notes the use of a key or session, without a write per request. */
  noteUse: (credential: { kind: 'key' | 'connection' | 'session'; id: string }) => void
  /** Resolves when the uses of credentials on this node are written. */
  flushUses: () => Promise<void>
  /** Resolves when every call answered by this node is in the request log. */
  flushCalls: () => Promise<void>
  traceCall: (server: ServedServer, call: RecordedCall) => Promise<{ searches: Explanation[]; remark: string | null }>
  compileRule: RuleCompiler
  /** Lets the account's language model, if there is one, draft the effects that the grammar did not understand. */
  improveRule: (compiled: CompiledRule, given: DraftedSentence, accountId: string) => Promise<CompiledRule>
  /** Looks up the pages that a rule names, of one source or of all. Null for a server without pages. */
  lookUpPlaces: (server: ServedServer, questions: readonly PlaceQuestion[]) => Promise<PlaceAnswer[] | null>
  /** Repeats a call with the rules and pins of the server, and with others. Null if it cannot be repeated. */
  previewCall: (
    server: ServedServer,
    call: RecordedCall,
    changes: { rules?: readonly SearchRule[]; pins?: readonly SearchPin[] },
  ) => Promise<CallPreview>
  findSections: (
    server: ServedServer,
    asked: { question: string; query: string },
  ) => Promise<z.input<(typeof operations)['pins.sections']['output']>>
  /** The sections at addresses, in the same order. Null for one that no indexed page has. */
  findPlaces: (server: ServedServer, addresses: readonly SectionAddress[]) => Promise<(PassagePlace | null)[]>
  /**
   * Finds the sources for a widget's question and returns the function that answers it. Throws `409
   * embed_without_sources`. The function rejects with a `DocentError` whose message is for the visitor.
   */
  prepareEmbedded: (question: EmbeddedQuestion) => Promise<AnswerEmbedded>
  /** The same for the owner of a widget: without limits of clients and without a record. */
  tryEmbedded: OperationDeps['prepareEmbedded']
  /** Questions that the sources of a widget answer. */
  suggestEmbedded: (
    widget: Pick<EmbeddedQuestion, 'accountId' | 'configurationId' | 'sources' | 'withPrivate'>,
  ) => Promise<StoredQuestion[]>
  /** Calls a tool of a server for its owner: without limits of clients and without a record. */
  tryTool: (
    server: ServedServer,
    trial: { tool: string; arguments: Record<string, unknown> },
    signal: AbortSignal,
  ) => Promise<z.output<(typeof operations)['tools.try']['output']>>
  /** Features of this instance, whatever the plan. */
  features: Record<'customTools' | 'retrievalRules' | 'llm' | 'embeddings' | 'javascriptRendering', boolean>
}

/** The body of a request as a stream. `declared` is the declared length, if any, and `headers` are in lower case. */
export type BodyBytes = {
  declared: number | null
  chunks: AsyncIterable<Uint8Array>
  headers: Readonly<Record<string, string>>
}

type ModelFacts = { model: string; at: string }

export type InstanceFacts = {
  id: string
  role: string
  version: string
  nodeVersion: string
  host: string
  startedAt: number
  models: { language: ModelFacts | null; embeddings: ModelFacts | null }
  /** Measures the disk of the data folder and the memory. */
  machine: () => Promise<{
    disk: { folder: string; freeBytes: number; totalBytes: number }
    memory: { usedBytes: number; freeBytes: number; totalBytes: number; processors: number }
  }>
}

/** The browser behind a request, with its cookie functions. */
export type Visitor = {
  address: string
  userAgent: string | null
  /** The `Origin` header. Browsers send it with every request of a page to another site. */
  origin: string | null
  /** The session cookie, used without an `Authorization` header. */
  sessionSecret: string | null
  /** The site that sent the request: our own, another, or unknown (such as a program). */
  sender: 'own' | 'foreign' | 'unknown'
  keepSession: (secret: string, forMs: number) => void
  forgetSession: () => void
}

/** One operation call, as passed in by its transport. */
export type Call = {
  deps: OperationDeps
  authorization: string | null
  /** The authorization may be a connection to the endpoint of the account. */
  atAccountEndpoint?: true
  /** Network address of a caller without a visitor, for the audit log. */
  address?: string
  visitor?: Visitor
  idempotencyKey?: string | null
  body?: BodyBytes
  /** Called if the answer is one page of a list, and there is a next one. */
  showNext?: ((cursor: string) => void) | undefined
  /** Aborted when nobody waits for the answer. Operations that stop throw its reason. */
  signal: AbortSignal
}

type Input<Id extends OperationId> = z.output<(typeof operations)[Id]['input']>
type Answer<O extends Operation> = O extends { produces: string }
  ? AsyncIterable<z.input<O['output']>>
  : z.input<O['output']> | Slices<z.input<O['output']>>
/** A handler can return a long list in slices, so that other work runs in between. The caller gets one list. */
type Slices<List> = List extends readonly unknown[] ? AsyncIterable<List> : never

type Who<O extends Operation> = O extends { auth: 'none' } ? { actor: Actor | null } : { actor: Actor }
type Which<O extends Operation> = O extends { resource: infer R extends ResourceName }
  ? Awaited<ReturnType<(typeof resources)[R]>>
  : unknown
type Body<O extends Operation> = O extends { consumes: string } ? { body: BodyBytes } : unknown
type Idempotency<O extends Operation> = O extends { onceByKey: true }
  ? { remember: Remember<z.input<O['output']>> }
  : unknown

/** Stores the response for the `Idempotency-Key`, and returns it. Called last in the transaction of the creation. */
export type Remember<Answer> = <Given extends Answer>(tx: Db, answer: Given) => Promise<Given>

/** A call after authentication and resource look-up: the handler's arguments besides its input. */
export type CheckedCall<Id extends OperationId> = {
  deps: OperationDeps
  visitor: Visitor | undefined
  signal: AbortSignal
  showNext: Call['showNext']
  /** Authenticates the caller again, for streams. Null if the credential is no longer valid. */
  admitAgain: () => Promise<Actor | null>
} & Who<(typeof operations)[Id]> &
  Which<(typeof operations)[Id]> &
  Idempotency<(typeof operations)[Id]> &
  Body<(typeof operations)[Id]>

export type Handler<Id extends OperationId> = (
  call: CheckedCall<Id>,
  input: Input<Id>,
) => Promise<Answer<(typeof operations)[Id]>>

/** The handlers of the operations of a noun, such as `webhooks`. */
export type HandlersOf<Noun extends string> = {
  [Id in OperationId as Id extends `${Noun}.${string}` ? Id : never]: Handler<Id>
}

/** Makes a change in one transaction. For operations that answer with nothing else. */
export async function done({ store }: Pick<OperationDeps, 'store'>, change: (tx: Db) => Promise<unknown>) {
  await store.transaction(change)
  return { ok: true as const }
}
