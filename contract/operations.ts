import { getEntitlements, getUsage } from './account.ts'
import { getAnalytics, getAnalyticsSummary, listCalls } from './analytics.ts'
import { createCustomTool, deleteCustomTool, getCustomTool, listCustomTools } from './custom-tools.ts'
import type { Operation } from './operation.ts'
import { createRule, deleteRule, listRules, updateRule } from './retrieval-rules.ts'
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
  'customTools.list': listCustomTools,
  'customTools.create': createCustomTool,
  'customTools.get': getCustomTool,
  'customTools.delete': deleteCustomTool,
  'retrievalRules.list': listRules,
  'retrievalRules.create': createRule,
  'retrievalRules.update': updateRule,
  'retrievalRules.delete': deleteRule,
  'analytics.summary': getAnalyticsSummary,
  'analytics.report': getAnalytics,
  'analytics.calls': listCalls,
  'account.usage': getUsage,
  'account.entitlements': getEntitlements,
} as const satisfies Record<string, Operation>

export type OperationId = keyof typeof operations

/** First path segments under `/api/mcp/` that no server may take as its slug. */
export const RESERVED_SLUGS: ReadonlySet<string> = new Set(
  Object.values(operations).flatMap(({ path }) => /^\/api\/mcp\/([a-z-]+)/.exec(path)?.[1] ?? []),
)
