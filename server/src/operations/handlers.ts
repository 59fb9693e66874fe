import type { OperationId } from '@docent/contract/operations'
import type { Handler } from './operation.ts'
import { getEntitlements } from './account/entitlements.ts'
import { getUsage } from './account/usage.ts'
import { listCalls } from './analytics/calls.ts'
import { getAnalytics } from './analytics/report.ts'
import { getAnalyticsSummary } from './analytics/summary.ts'
import { createCustomTool } from './custom-tools/create.ts'
import { deleteCustomTool } from './custom-tools/delete.ts'
import { getCustomTool } from './custom-tools/get.ts'
import { listCustomTools } from './custom-tools/list.ts'
import { createRule } from './retrieval-rules/create.ts'
import { deleteRule } from './retrieval-rules/delete.ts'
import { listRules } from './retrieval-rules/list.ts'
import { updateRule } from './retrieval-rules/update.ts'
import { crawlOneServer, crawlServer } from './servers/crawl.ts'
import { createServer } from './servers/create.ts'
import { deleteServer } from './servers/delete.ts'
import { getServer } from './servers/get.ts'
import { listServers } from './servers/list.ts'
import { getProgress } from './servers/progress.ts'

/** One handler for each operation of the contract; the type refuses a missing one. */
export const handlers: { [Id in OperationId]: Handler<Id> } = {
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
}
