import type { SourceType } from '@docent/contract/values/sources'
import type { Generated } from 'kysely'

/**
 * The tables, identical in both engines. Times are milliseconds since 1970, flags are 0 or 1, JSON is text. With one
 * common form, each query is written only once.
 */
export type Schema = {
  accounts: {
    id: string
    email: string
    name: string
    plan: string
    passwordHash: string | null
    isOperator: number
    trialEndsAt: number | null
    createdAt: number
  }
  apiKeys: {
    id: string
    accountId: string
    name: string
    /** SHA-256 of the key, hex. */
    hash: string
    last4: string
    /** JSON array of server ids, or null for the whole account. */
    serverIds: string | null
    createdAt: number
    lastUsedAt: number | null
    revokedAt: number | null
  }
  /** One-use links to create the first account. */
  setupLinks: {
    /** SHA-256 of the link's secret, hex. */
    hash: string
    createdAt: number
  }
  /** Signed-in browsers. */
  sessions: {
    id: string
    accountId: string
    /** SHA-256 of the cookie's value, hex. */
    hash: string
    userAgent: string | null
    createdAt: number
    lastUsedAt: number
  }
  /** Developer profiles for the SDK interface, one per account. */
  developers: {
    id: string
    accountId: string
    clientId: string
    appName: string
    /** SHA-256 of the client secret, hex. */
    secretHash: string
    /** The client secret, encrypted for this row, because the portal shows it again. */
    sealedSecret: string
    createdAt: number
    updatedAt: number
  }
  attributionTokens: {
    /** The random part of the token. Worthless without its signature. */
    id: string
    developerId: string
    /** The developer's own id of its user. */
    endUserId: string | null
    createdAt: number
    expiresAt: number
    usedAt: number | null
  }
  /** Widget configurations. */
  configurations: {
    id: string
    developerId: string
    name: string
    /** Lower case. Empty for any page, because null would not be unique. */
    domain: string
    /** JSON texts, as given. */
    tools: string
    sources: string
    colors: string
    layout: 'horizontal' | 'vertical'
    fontFamily: string
    isActive: number
    createdAt: number
    /** Unique within the developer, so that the order of the list is exact. */
    updatedAt: number
  }
  embedSessions: {
    /** SHA-256 of the session's secret, hex. */
    hash: string
    configurationId: string
    /** The used attribution token, or null. */
    attributionId: string | null
    endUserId: string | null
    createdAt: number
    expiresAt: number
  }
  servers: {
    id: string
    accountId: string
    slug: string
    name: string
    description: string | null
    visibility: 'public' | 'private'
    /** JSON array of tool names. */
    tools: string
    /** Reindexing schedule of its sources. */
    refresh: Generated<'off' | 'hourly' | 'daily' | 'weekly'>
    /** Adds structured content to the results of its tools. */
    structuredOutput: Generated<number>
    /** JSON array of the enabled retrieval rules, in the order in which they run. */
    rules: Generated<string>
    /** JSON: the kinds of text that are removed from calls before they are stored. `[]` for none. */
    redaction: Generated<string>
    createdAt: number
    updatedAt: number
    deletedAt: number | null
    purgeAt: number | null
  }
  accessTokens: {
    id: string
    serverId: string
    name: string
    hash: string
    last4: string
    createdAt: number
    lastUsedAt: number | null
    revokedAt: number | null
  }
  sources: {
    id: string
    serverId: string
    url: string
    type: SourceType
    label: string | null
    isPrivate: number
    crawlStatus: 'pending' | 'crawling' | 'complete' | 'error'
    crawlError: string | null
    /** Incremented with every crawl. Pages with a lower run are still to be settled. */
    run: number
    /** JSON array of segment ids: the published version. */
    segments: string
    pagesFound: number
    /** Unsettled pages of the current crawl. */
    pagesToGo: number
    pagesIndexed: number
    pagesSkipped: number
    pagesFailed: number
    chunks: number
    /** Characters of indexed text. */
    textBytes: number
    crawlStartedAt: number | null
    lastIndexedAt: number | null
    createdAt: number
    /** Pages of the published version after the last complete crawl. */
    publishedPages: Generated<number>
    /** JSON arrays of robots.txt path patterns, for inclusion and exclusion. */
    includePatterns: Generated<string>
    excludePatterns: Generated<string>
    /** Opaque state of the source's reader for its next run. Null: read everything. */
    cursor: Generated<string | null>
    /** The type was guessed from the address and is detected at the first indexing. */
    typeGuessed: Generated<number>
    /** A sentence on how the type was detected. Null if it was given. */
    typeReason: Generated<string | null>
    /** It may be read with the account's linked code host. Set only by a key for the whole account, or by a session. */
    usesLinkedAccount: Generated<number>
    /** JSON array: tools of a remote MCP server that may be called although they are not declared read-only. */
    allowedTools: Generated<string>
    /** The next crawl first deletes everything, because it was indexed with a removed credential. */
    discardContent: Generated<number>
    /** JSON: the current crawl's use of its budgets. */
    crawlUsage: Generated<string | null>
  }
  /** All encryption keys of secrets. One of them is current. */
  secretKeys: {
    /** Derived from the key, but does not reveal it. */
    id: string
    isCurrent: number
    createdAt: number
  }
  /** Credentials for the remote servers of MCP sources. */
  credentials: {
    sourceId: string
    headerName: 'Authorization' | 'X-API-Key'
    /** Encrypted for this source. */
    sealed: string
    updatedAt: number
  }
  /** Linked accounts at code hosts, for reading private repositories. */
  linkedAccounts: {
    id: string
    accountId: string
    host: string
    login: string
    /** API of the host. */
    kind: Generated<'github' | 'gitlab' | 'gitea' | 'bitbucket'>
    /** Linked by a personal access token, or by the operator's app at the host. */
    via: Generated<'token' | 'app'>
    /** The token, encrypted for this row. */
    sealed: string
    /** The encrypted refresh token. Null for a token that does not expire. */
    sealedRefresh: string | null
    expiresAt: number | null
    /** Claim of a node that refreshes the token. */
    refreshingUntil: Generated<number>
    linkedAt: number
  }
  /** Links in progress, while the owner approves at the code host. */
  linkAttempts: {
    /** SHA-256 of the `state` parameter of the callback, hex. */
    stateHash: string
    accountId: string
    /** The session or key that began the link and must complete it. */
    credentialId: string
    host: string
    expiresAt: number
  }
  /** Sources purchased for a server beyond the plan. */
  sourceCredits: {
    serverId: string
    credits: number
    updatedAt: number
  }
  /** Requests for more sources or for another plan. */
  purchases: {
    id: string
    accountId: string
    kind: 'sources' | 'plan'
    /** Null for a plan, and after the purge of the server. */
    serverId: string | null
    sources: number | null
    plan: string | null
    /** In US cents. Null: agreed with the operator. */
    priceCents: number | null
    /** Message of the account to the operator. */
    note: string
    state: 'requested' | 'granted' | 'refused' | 'withdrawn'
    /** Why the operator refused it. */
    reason: string | null
    createdAt: number
    settledAt: number | null
    /** Account that granted or refused it. */
    settledBy: string | null
  }
  webhooks: {
    id: string
    accountId: string
    url: string
    name: string
    /** JSON array of event names. */
    events: string
    /** The secret of its signatures, encrypted for this row. */
    sealedSecret: string
    /** The secret from before the last rotation, and until when it also signs. */
    sealedPreviousSecret: string | null
    previousSecretUntil: number | null
    enabled: number
    /** Why the service switched it off. */
    disabledReason: string | null
    /** Consecutive failed attempts, and the time of the first of them. */
    failures: number
    failingSince: number | null
    lastDeliveredAt: number | null
    /** Events that were not queued, because too many were waiting. */
    dropped: number
    createdAt: number
    updatedAt: number
  }
  /** Events for webhooks: queued, and the log of the last ones. */
  webhookDeliveries: {
    /** Also the id that the receiver sees. */
    id: string
    webhookId: string
    accountId: string
    /** Server that the event names. */
    serverId: string | null
    type: string
    /** JSON, as it is signed and sent. */
    body: string
    state: 'queued' | 'delivered' | 'failed'
    /** Incremented with every claim. The holder of an older number has lost the delivery. */
    attempts: number
    /** Time of the next attempt, or the end of the current one's lease. */
    nextAt: number
    /** JSON array of the attempts. */
    log: string
    createdAt: number
    settledAt: number | null
  }
  /** Limits that were announced to webhooks in a period. */
  limitNotices: {
    accountId: string
    /** The limit, and the server if it is one of a server. */
    subject: string
    /** `YYYY-MM`, UTC. */
    period: string
    createdAt: number
  }
  idempotentAnswers: {
    /** SHA-256 of the API key's id, the operation and the `Idempotency-Key`. */
    id: string
    accountId: string
    requestHash: string
    /** Encrypted under a key derived from the caller's credential. */
    answer: string
    expiresAt: number
  }
  pages: {
    id: Generated<number>
    sourceId: string
    url: string
    state: 'queued' | 'indexed' | 'skipped' | 'failed'
    /** Typed reason for a skip or a failure. */
    reason: string | null
    detail: string | null
    /** The crawl that last settled this page. */
    run: number
    depth: number
    title: string | null
    textHash: string | null
    chunks: number
    etag: string | null
    lastModified: string | null
    /** 1 if the published segments contain the current state of the page. */
    published: number
    /** Consecutive refreshes that failed to fetch the page. */
    misses: number
    /** JSON array of the page's labels in the source's navigation. */
    anchorTexts: string | null
    updatedAt: number
  }
  texts: {
    sourceId: string
    hash: string
    /** Markdown, zstd-compressed. */
    markdown: Uint8Array
    /**
     * JSON of `{language, chunks, links}`, zstd-compressed: with the Markdown, everything needed to rebuild the index.
     */
    outline: Uint8Array
    /** Characters before compression. */
    size: number
  }
  segments: {
    id: string
    sourceId: string
    bytes: number
    createdAt: number
    /** Format of its bytes. 0: unknown. */
    format: number
  }
  segmentParts: {
    segmentId: string
    part: number
    data: Uint8Array
  }
  /** Uploaded files of sources, as received. Without a source, an upload is in progress or was replaced. */
  uploads: {
    id: string
    serverId: string
    sourceId: string | null
    fileName: string
    bytes: number
    createdAt: number
  }
  uploadParts: {
    uploadId: string
    part: number
    data: Uint8Array
  }
  /** Nodes that currently fetch pages from hosts. */
  hostShares: {
    /** SHA-256 of its name. */
    host: string
    node: string
    until: number
    /** End of the pause that the host requested from the node. */
    notBefore: number
  }
  /** Next allowed request start of hosts with a crawl delay. */
  hostSlots: {
    host: string
    nextAt: number
  }
  /** Clients of handshakes. Only on PostgreSQL, which can have several nodes. */
  knownClients: {
    /** SHA-256 of the server, access token, address and User-Agent. */
    key: string
    name: string
    version: string | null
    usedAt: number
  }
  jobs: {
    id: Generated<number>
    kind: string
    payload: string
    /** At most one waiting or running job per key. */
    dedupeKey: string | null
    /** Account whose turn the job uses. Empty for the service's own jobs. */
    accountId: string
    serverId: string | null
    sourceId: string | null
    state: 'queued' | 'running' | 'done' | 'failed'
    attempts: number
    runAt: number
    /** Incremented with every claim. The holder of an older number has lost the job. */
    fence: number
    leaseUntil: number | null
    error: string | null
    createdAt: number
    updatedAt: number
  }
  /** Last turn of each account at the queue. */
  jobTurns: {
    accountId: string
    turn: number
  }
  /** Use of an account's monthly allowance. */
  monthlyCalls: {
    accountId: string
    /** `YYYY-MM`, UTC. */
    month: string
    calls: number
  }
  /** Daily model usage of an account's servers, for the language model or the embedding model. */
  modelUsage: {
    accountId: string
    /** Days since 1970, UTC. */
    day: number
    kind: 'chat' | 'embeddings'
    requests: number
    inputTokens: number
    outputTokens: number
  }
  /** The request log of tool calls. */
  calls: {
    seq: Generated<number>
    id: string
    serverId: string
    at: number
    /** Days since 1970, UTC. */
    day: number
    tool: string
    /** JSON, clipped if long. */
    arguments: string
    /** The question or search query, for tools that take one. */
    query: string | null
    clientName: string | null
    clientVersion: string | null
    status: 'ok' | 'error'
    durationMs: number
    error: string | null
    /** Confidence of an answer to a question. */
    confidence: string | null
    /** Ids of the searched segments, separated by spaces. Null for calls of older versions. */
    segments: string | null
    /** JSON, see `store/calls/write-calls.ts`. Null for none. */
    citations: string | null
    /** The widget configuration that asked. Null for MCP clients. */
    configurationId: string | null
    /** The developer's id of the user who asked, from an attribution token. */
    endUserId: string | null
    /** 1 for a question or search that the sources did not answer. */
    unanswered: Generated<number>
  }
  /** Feedback of visitors of widgets on answers. The call can still be missing, or be gone already. */
  callFeedback: {
    callId: string
    configurationId: string
    /** 1 or 0. */
    helpful: number
    at: number
  }
  /** Calls of recent days by hour. Each call is counted here or in `callDays`. Unlike the log, counts do not expire. */
  callHours: CallCounts & {
    /** Hours since 1970. */
    hour: number
  }
  /** Calls of earlier days. */
  callDays: CallCounts & {
    /** Days since 1970, UTC. */
    day: number
  }
  /** Sums of `callDays` in one dimension, so that a report of a year reads few rows. */
  callGroups: {
    serverId: string
    dimension: 'all' | 'tool' | 'client' | 'configuration'
    day: number
    /** Name of the tool or client, or id of the configuration. Empty for a call without one, and for all calls. */
    name: string
    /** Version of the client, otherwise empty. */
    version: string
    status: 'ok' | 'error'
    calls: number
    durationMs: number
    lastAt: number
    /** Sketch of the durations, see `lib/duration-sketch.ts`. */
    durations: string
  }
  /** Pages that answers cited. */
  citedPages: {
    id: Generated<number>
    sourceId: string
    /** Short hash of the address. */
    hash: string
    url: string
    title: string
    lastCitedAt: number
  }
  /** Citations of a source's pages on a day. */
  pageDays: {
    sourceId: string
    /** Days since 1970, UTC. */
    day: number
    /** JSON, see `store/calls/fold-citations.ts`. */
    counts: string
  }
  /** The sums of `pageDays` in periods of 32 days. */
  pagePeriods: {
    sourceId: string
    /** The first day of the period: a multiple of 32 days since 1970, UTC. */
    day: number
    /** JSON, see `store/calls/fold-citations.ts`. */
    counts: string
  }
  /** One row: the time before which the citations of calls are in `pageDays` and `pagePeriods`. */
  callFolds: {
    id: number
    foldedUntil: number
  }
  /** Citation counts of sources, by call and in total. */
  sourceUses: {
    sourceId: string
    calls: number
    citations: number
    lastCitedAt: number
  }
  retrievalRules: {
    id: string
    serverId: string
    sourceId: string | null
    naturalLanguage: string
    enabled: number
    priority: number
    /** JSON array. */
    effects: string
    createdAt: number
    updatedAt: number
  }
  customTools: {
    id: string
    accountId: string
    /** Program name, unique among the tools of one server, but not in this table. */
    name: string
    displayName: string
    description: string
    status: 'building' | 'ready' | 'failed'
    /** JSON Schema. */
    inputSchema: string
    /** JSON of the tool's steps. Null until it is ready. */
    plan: string | null
    error: string | null
    /** The request in plain words. Null for a tool of an older version. */
    prompt: string | null
    /** JSON of the sources that the request names. */
    sources: string | null
    /** JSON of the servers that the requesting key is scoped to. Null: all of the account. */
    serverIds: string | null
    /** JSON of the progress messages of the current build. */
    progress: string | null
    /** Times that the build was begun. The number is also its fence. */
    attempts: Generated<number>
    /** End of the lease of the process that builds it. */
    leaseUntil: number | null
    createdAt: number
    updatedAt: number
  }
  rateLimits: {
    key: string
    /** Times of the last allowed requests, up to the limit, 13 digits each, oldest first. */
    hits: string
    expiresAt: number
  }
}

/** Calls of a server in a period that agree in everything here. A text is empty if the client sent none. */
type CallCounts = {
  serverId: string
  tool: string
  clientName: string
  clientVersion: string
  /** Empty for MCP clients. */
  configurationId: string
  status: 'ok' | 'error'
  calls: number
  /** Sum. */
  durationMs: number
  /** Sketch of the durations, see `lib/duration-sketch.ts`. */
  durations: string
  lastAt: number
}
