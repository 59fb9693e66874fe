import type { Operation } from './operation.ts'
import {
  crawlOneServer,
  crawlServer,
  createServer,
  deleteServer,
  getProgress,
  getServer,
  listServers,
} from './servers.ts'

/** The whole management interface, in the order of the reference. Everything that faces the world is made from it. */
export const operations = {
  'servers.create': createServer,
  'servers.list': listServers,
  'servers.crawl': crawlServer,
  'servers.get': getServer,
  'servers.delete': deleteServer,
  'servers.crawlOne': crawlOneServer,
  'servers.progress': getProgress,
} as const satisfies Record<string, Operation>

export type OperationId = keyof typeof operations

/** First path segments under `/api/mcp/` that no server may take as its slug. */
export const RESERVED_SLUGS: ReadonlySet<string> = new Set(
  Object.values(operations).flatMap(({ path }) => /^\/api\/mcp\/([a-z-]+)/.exec(path)?.[1] ?? []),
)
