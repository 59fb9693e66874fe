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
  servers: {
    id: string
    accountId: string
    slug: string
    name: string
    description: string | null
    visibility: 'public' | 'private'
    /** JSON array of tool names. */
    tools: string
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
    /** JSON array of the texts of links that point here. */
    anchorTexts: string | null
    updatedAt: number
  }
  texts: {
    sourceId: string
    hash: string
    /** Markdown, zstd. */
    markdown: Uint8Array
    /** JSON of `{language, chunks}`, zstd: what the index needs beside the Markdown to be made again. */
    outline: Uint8Array
    /** Characters before compression. */
    size: number
  }
  segments: {
    id: string
    sourceId: string
    bytes: number
    createdAt: number
  }
  segmentParts: {
    segmentId: string
    part: number
    data: Uint8Array
  }
  jobs: {
    id: Generated<number>
    kind: string
    payload: string
    /** At most one waiting or running job for each key. */
    dedupeKey: string | null
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
  rateLimits: {
    key: string
    /** JSON array of the times of the requests let through within the window. */
    hits: string
    expiresAt: number
  }
}
