import type { SourceType } from '@docent/contract/servers'

/** A live server as the MCP endpoint and the search see it: one row and its sources, read at every request. */
export type ServedServer = {
  id: string
  accountId: string
  slug: string
  name: string
  description: string | null
  visibility: 'public' | 'private'
  /** Names of the tools it exposes, in order. */
  tools: string[]
  sources: ServedSource[]
}

export type ServedSource = {
  id: string
  url: string
  type: SourceType
  label: string | null
  crawlStatus: 'pending' | 'crawling' | 'complete' | 'error'
  /** Ids of the published segments; together they are the source's current version. Empty before the first publish. */
  segments: string[]
}
