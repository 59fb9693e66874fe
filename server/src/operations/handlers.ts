import type { OperationId } from '@docent/contract/operations'
import type { Handler } from './operation.ts'
import { createAccessToken, listAccessTokens, revokeAccessToken } from './access-tokens.ts'
import { changePassword, getEntitlements, getUsage } from './account/account.ts'
import { listCalls, exportCalls } from './analytics/calls.ts'
import { listCitedPages, getRecentCalls, getAnalytics, getAnalyticsSummary } from './analytics/report.ts'
import { getQuality, getSeries } from './analytics/series.ts'
import { listUnanswered } from './analytics/unanswered.ts'
import { getTrace } from './analytics/trace.ts'
import { createCustomTool, retryCustomTool } from './build-custom-tool.ts'
import { deleteCustomTool, getCustomTool, listCustomTools, updateCustomTool } from './custom-tools.ts'
import { watchEvents } from './servers/events.ts'
import { createAttributionToken, changeCredentials, getCredentials } from './embed/developers.ts'
import { deleteConfiguration, listConfigurations, tryConfiguration, saveConfiguration } from './embed/configurations.ts'
import { askEmbedded, getEmbedConfiguration, saveEmbedFeedback, openEmbedSession } from './embed/embed.ts'
import { listAccounts, listBackups, changeAccountPlan, createBackup, getInstance } from './instance.ts'
import { listJobs, dismissJob, retryJob, retryAllJobs } from './instance-jobs.ts'
import { createApiKey, listApiKeys, revokeApiKey } from './account/keys.ts'
import { finishLink, getLinkedAccount, linkAccount, startLink, unlinkAccount } from './account/linked-accounts.ts'
import { exportPages, listPages } from './servers/pages.ts'
import {
  listPlans,
  listAllPurchases,
  listPurchases,
  grantRequest,
  refuseRequest,
  withdrawRequest,
} from './account/purchases.ts'
import { requestPlan, requestSources } from './account/request-purchase.ts'
import { createRule, deleteRule, previewRule, listRules, updateRule } from './retrieval-rules.ts'
import { crawlOneServer, crawlServer } from './servers/crawl.ts'
import { createServer } from './servers/create.ts'
import { deleteServer, getServer, listServers, restoreServer, setVisibility, updateServer } from './servers/servers.ts'
import { getProgress } from './servers/progress.ts'
import { createSession, endSessions, listSessions } from './account/sessions.ts'
import { claimSetup, getSetup, signUp } from './account/setup.ts'
import { addSource } from './sources/add.ts'
import { changeCredential } from './sources/change-credential.ts'
import { detectSource, removeSource, updateSource } from './sources/sources.ts'
import { uploadSource } from './sources/upload.ts'
import { changeServerTools, getServerTools, tryTool } from './servers/tools.ts'
import {
  createWebhook,
  removeWebhook,
  listDeliveries,
  resendDelivery,
  testWebhook,
  listWebhooks,
  rotateWebhook,
  updateWebhook,
} from './webhooks.ts'

/** One handler per operation of the contract. The type rejects a missing one. */
export const handlers: { [Id in OperationId]: Handler<Id> } = {
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
  'tools.try': tryTool,
  'accessTokens.list': listAccessTokens,
  'accessTokens.create': createAccessToken,
  'accessTokens.revoke': revokeAccessToken,
  'customTools.list': listCustomTools,
  'customTools.create': createCustomTool,
  'customTools.get': getCustomTool,
  'customTools.update': updateCustomTool,
  'customTools.delete': deleteCustomTool,
  'customTools.retry': retryCustomTool,
  'retrievalRules.list': listRules,
  'retrievalRules.ofServer': listRules,
  'retrievalRules.create': createRule,
  'retrievalRules.preview': previewRule,
  'retrievalRules.update': updateRule,
  'retrievalRules.delete': deleteRule,
  'analytics.recent': getRecentCalls,
  'analytics.summary': getAnalyticsSummary,
  'analytics.report': getAnalytics,
  'analytics.calls': listCalls,
  'analytics.exportCalls': exportCalls,
  'analytics.series': getSeries,
  'analytics.quality': getQuality,
  'analytics.pages': listCitedPages,
  'analytics.unanswered': listUnanswered,
  'calls.trace': getTrace,
  'events.watch': watchEvents,
  'account.usage': getUsage,
  'account.entitlements': getEntitlements,
  'account.changePassword': changePassword,
  'plans.list': listPlans,
  'purchases.requestSources': requestSources,
  'purchases.requestPlan': requestPlan,
  'purchases.list': listPurchases,
  'purchases.withdraw': withdrawRequest,
  'purchases.listAll': listAllPurchases,
  'purchases.grant': grantRequest,
  'purchases.refuse': refuseRequest,
  'webhooks.list': listWebhooks,
  'webhooks.create': createWebhook,
  'webhooks.update': updateWebhook,
  'webhooks.rotate': rotateWebhook,
  'webhooks.delete': removeWebhook,
  'webhooks.test': testWebhook,
  'webhooks.deliveries': listDeliveries,
  'webhooks.resend': resendDelivery,
  'keys.list': listApiKeys,
  'keys.create': createApiKey,
  'keys.revoke': revokeApiKey,
  'sessions.create': createSession,
  'sessions.list': listSessions,
  'sessions.end': endSessions,
  'setup.get': getSetup,
  'setup.claim': claimSetup,
  'setup.signUp': signUp,
  'linkedAccounts.get': getLinkedAccount,
  'linkedAccounts.link': linkAccount,
  'linkedAccounts.unlink': unlinkAccount,
  'linkedAccounts.start': startLink,
  'linkedAccounts.finish': finishLink,
  'credentials.get': getCredentials,
  'credentials.change': changeCredentials,
  'attributionTokens.create': createAttributionToken,
  'configurations.list': listConfigurations,
  'configurations.save': saveConfiguration,
  'configurations.try': tryConfiguration,
  'configurations.delete': deleteConfiguration,
  'embed.configuration': getEmbedConfiguration,
  'embed.openSession': openEmbedSession,
  'embed.ask': askEmbedded,
  'embed.feedback': saveEmbedFeedback,
  'instance.get': getInstance,
  'instance.jobs': listJobs,
  'instance.retryJob': retryJob,
  'instance.dismissJob': dismissJob,
  'instance.retryJobs': retryAllJobs,
  'instance.accounts': listAccounts,
  'instance.changePlan': changeAccountPlan,
  'instance.backups': listBackups,
  'instance.createBackup': createBackup,
}
