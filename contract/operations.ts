import { createAccessToken, listAccessTokens, revokeAccessToken } from './access-tokens.ts'
import { getEntitlements, getUsage } from './account.ts'
import { getAnalytics, getAnalyticsSummary, listCalls } from './analytics.ts'
import { createCustomTool, deleteCustomTool, getCustomTool, listCustomTools } from './custom-tools.ts'
import { createApiKey, listApiKeys, revokeApiKey } from './keys.ts'
import { finishLink, getLinkedAccount, linkAccount, startLink, unlinkAccount } from './linked-accounts.ts'
import { crawlOneServer, crawlServer, getProgress } from './crawls.ts'
import { watchEvents } from './events.ts'
import type { Operation } from './operation.ts'
import { exportPages, listPages } from './pages.ts'
import { createRule, deleteRule, listRules, updateRule } from './retrieval-rules.ts'
import { changeServerTools, getServerTools } from './server-tools.ts'
import {
  createServer,
  deleteServer,
  getServer,
  listServers,
  restoreServer,
  setVisibility,
  updateServer,
} from './servers.ts'
import { createSession, endSessions, listSessions } from './sessions.ts'
import { addSource, changeCredential, detectSource, removeSource, updateSource } from './source-operations.ts'
import { getTrace } from './traces.ts'
import { uploadSource } from './uploads.ts'

/** The whole management interface, in the order of the reference. Every public interface is generated from it. */
export const operations = {
  'servers.create': createServer,
  'servers.list': listServers,
  'servers.crawl': crawlServer,
  'servers.get': getServer,
  'servers.update': updateServer,
  'servers.delete': deleteServer,
  'servers.restore': restoreServer,
  'servers.setVisibility': setVisibility,
  'servers.crawlOne': crawlOneServer,
  'servers.progress': getProgress,
  'sources.detect': detectSource,
  'sources.add': addSource,
  'sources.changeCredential': changeCredential,
  'sources.upload': uploadSource,
  'sources.remove': removeSource,
  'sources.update': updateSource,
  'pages.list': listPages,
  'pages.export': exportPages,
  'tools.get': getServerTools,
  'tools.change': changeServerTools,
  'accessTokens.list': listAccessTokens,
  'accessTokens.create': createAccessToken,
  'accessTokens.revoke': revokeAccessToken,
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
  'calls.trace': getTrace,
  'events.watch': watchEvents,
  'account.usage': getUsage,
  'account.entitlements': getEntitlements,
  'keys.list': listApiKeys,
  'keys.create': createApiKey,
  'keys.revoke': revokeApiKey,
  'sessions.create': createSession,
  'sessions.list': listSessions,
  'sessions.end': endSessions,
  'linkedAccounts.get': getLinkedAccount,
  'linkedAccounts.link': linkAccount,
  'linkedAccounts.unlink': unlinkAccount,
  'linkedAccounts.start': startLink,
  'linkedAccounts.finish': finishLink,
} as const satisfies Record<string, Operation>

export type OperationId = keyof typeof operations

/** First path segments under `/api/mcp/` that operations use, so they cannot be slugs. */
export const RESERVED_SLUGS: ReadonlySet<string> = new Set(
  Object.values(operations).flatMap(({ path }) => /^\/api\/mcp\/([a-z-]+)/.exec(path)?.[1] ?? []),
)
