import type { SourceType } from '@docent/contract/sources'
import type { Generated } from 'kysely'

/**
 * The tables, as both engines hold them. Times are milliseconds since 1970, flags are 0 or 1, JSON is text: one form
 * that SQLite and PostgreSQL share, so that a query is written once.
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
  /** Browsers that are signed in. */
  sessions: {
    id: string
    accountId: string
    /** SHA-256 of the cookie's value, hex. */
    hash: string
    userAgent: string | null
    createdAt: number
    lastUsedAt: number
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
    /** How often its sources are indexed again. */
    refresh: Generated<'off' | 'hourly' | 'daily' | 'weekly'>
    /** Results of its tools have structured content beside their text. */
    structuredOutput: Generated<number>
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
    /** Counts up with every crawl; a page whose own run is lower is still to go. */
    run: number
    /** JSON array of segment ids: the published version. */
    segments: string
    pagesFound: number
    /** Pages that the current crawl has not settled. */
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
    /** Pages of the published version, as the last whole crawl left it. */
    publishedPages: Generated<number>
    /** JSON arrays of patterns of paths as in robots.txt: what belongs to the source, and what does not. */
    includePatterns: Generated<string>
    excludePatterns: Generated<string>
    /** What the reader of the source has left for its next reading, in its own words; null to read all of it. */
    cursor: Generated<string | null>
    /** Whether the kind of source was judged by its address alone, and is looked at when it is first indexed. */
    typeGuessed: Generated<number>
    /** What the kind of source was told by, as a sentence; null where it was given. */
    typeReason: Generated<string | null>
    /** Whether it may be read with the account's linked code host: only a key for the whole account, or a session, says so. */
    usesLinkedAccount: Generated<number>
    /** JSON array: tools of a remote MCP server that may be called though it does not call them read-only. */
    allowedTools: Generated<string>
    /** Whether the next crawl first deletes everything: it was indexed with a credential that has been removed. */
    discardContent: Generated<number>
    /** JSON: what the current crawl has used of its budgets. */
    crawlUsage: Generated<string | null>
  }
  /** The keys that secrets have been encrypted under; one of them is the current one. */
  secretKeys: {
    /** Derived from the key and of no use for finding it. */
    id: string
    isCurrent: number
    createdAt: number
  }
  /** What is sent to the remote server of an MCP source. */
  credentials: {
    sourceId: string
    headerName: 'Authorization' | 'X-API-Key'
    /** Encrypted for this source. */
    sealed: string
    updatedAt: number
  }
  /** Accounts at code hosts, by which private repositories are read. */
  linkedAccounts: {
    id: string
    accountId: string
    host: string
    login: string
    /** Which interface the host has. */
    kind: Generated<'github' | 'gitlab' | 'gitea' | 'bitbucket'>
    /** By a personal access token, or by the app that the operator has registered at the host. */
    via: Generated<'token' | 'app'>
    /** The token, encrypted for this row. */
    sealed: string
    /** What the next token is had with; null for a token that does not expire. */
    sealedRefresh: string | null
    expiresAt: number | null
    /** A node is about to have the next token until then. */
    refreshingUntil: Generated<number>
    linkedAt: number
  }
  /** Accounts that are about to be linked, while their owner says yes at the code host. */
  linkAttempts: {
    /** SHA-256 of the `state` that the host sends back, hex. */
    stateHash: string
    accountId: string
    /** The session or key that it was begun with, and has to be finished with. */
    credentialId: string
    host: string
    expiresAt: number
  }
  /** Sources bought for a server beyond those of the plan. */
  sourceCredits: {
    serverId: string
    credits: number
    updatedAt: number
  }
  idempotentAnswers: {
    /** SHA-256 of the API key's id, the operation and the `Idempotency-Key`. */
    id: string
    accountId: string
    requestHash: string
    /** Encrypted under a key made of the caller's credential. */
    answer: string
    expiresAt: number
  }
  pages: {
    id: Generated<number>
    sourceId: string
    url: string
    state: 'queued' | 'indexed' | 'skipped' | 'failed'
    /** Typed reason of a skip or a failure. */
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
    /** 1 when the published segments hold this page as it is now. */
    published: number
    /** Refreshes in a row in which the page could not be had. */
    misses: number
    /** JSON array of what the navigation of the source's pages calls this one. */
    anchorTexts: string | null
    updatedAt: number
  }
  texts: {
    sourceId: string
    hash: string
    /** Markdown, zstd. */
    markdown: Uint8Array
    /** JSON of `{language, chunks, links}`, zstd: what the index needs beside the Markdown to be made again. */
    outline: Uint8Array
    /** Characters before compression. */
    size: number
  }
  segments: {
    id: string
    sourceId: string
    bytes: number
    createdAt: number
    /** In which its bytes are written; 0 where that is not known. */
    format: number
  }
  segmentParts: {
    segmentId: string
    part: number
    data: Uint8Array
  }
  /** What was uploaded for a source, as it was sent. Without a source it is being received, or was replaced. */
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
  /** Which nodes ask which hosts for pages now. */
  hostShares: {
    /** SHA-256 of its name. */
    host: string
    node: string
    until: number
    /** The host told the node not to ask before. */
    notBefore: number
  }
  /** When the next request to a host may start that asks for time between two. */
  hostSlots: {
    host: string
    nextAt: number
  }
  jobs: {
    id: Generated<number>
    kind: string
    payload: string
    /** At most one waiting or running job for each key. */
    dedupeKey: string | null
    /** Whose turn it is that the job is done in; empty for what the service does for itself. */
    accountId: string
    serverId: string | null
    sourceId: string | null
    state: 'queued' | 'running' | 'done' | 'failed'
    attempts: number
    runAt: number
    /** Counts up with every claim; whoever holds an older number has lost the job. */
    fence: number
    leaseUntil: number | null
    error: string | null
    createdAt: number
    updatedAt: number
  }
  /** When an account last had its turn at the queue, in the order of turns. */
  jobTurns: {
    accountId: string
    turn: number
  }
  /** What an account has used of its monthly allowance. */
  monthlyCalls: {
    accountId: string
    /** `YYYY-MM`, UTC. */
    month: string
    calls: number
  }
  /** What an account's servers have asked of models in a day: of the language model, or of that which makes embeddings. */
  modelUsage: {
    accountId: string
    /** Days since 1970, UTC. */
    day: number
    kind: 'chat' | 'embeddings'
    requests: number
    inputTokens: number
    outputTokens: number
  }
  /** The request log: calls of tools. */
  calls: {
    seq: Generated<number>
    id: string
    serverId: string
    at: number
    /** Days since 1970, UTC. */
    day: number
    tool: string
    /** JSON, shortened where it is long. */
    arguments: string
    /** What was asked, where the tool takes a question or a search. */
    query: string | null
    clientName: string | null
    clientVersion: string | null
    status: 'ok' | 'error'
    durationMs: number
    error: string | null
    /** Of an answer to a question. */
    confidence: string | null
    /** Ids of the segments that the server was searched in, joined by spaces; null for calls of older versions. */
    segments: string | null
  }
  callCitations: {
    callId: string
    /** Place among the call's citations, from 0. */
    position: number
    rank: number
    sourceId: string
    url: string
    title: string
    score: number
  }
  /** All calls that there ever were, by day and tool; the log forgets, this does not. */
  callDays: {
    serverId: string
    day: number
    tool: string
    calls: number
    failed: number
    /** The sum. */
    durationMs: number
  }
  /** How often a source was cited; in how many calls and altogether. */
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
    /** For programs; unique among the tools of one server, not here. */
    name: string
    displayName: string
    description: string
    status: 'building' | 'ready' | 'failed'
    /** JSON Schema. */
    inputSchema: string
    /** JSON of what the tool does; null until it is ready. */
    plan: string | null
    error: string | null
    createdAt: number
    updatedAt: number
  }
  rateLimits: {
    key: string
    /** Times of the last requests let through, as many as the limit, 13 digits each, oldest first. */
    hits: string
    expiresAt: number
  }
}
