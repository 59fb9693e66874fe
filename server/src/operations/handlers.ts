import type { OperationId } from '@docent/contract/operations'
import type { Handler } from './operation.ts'
import { createAccessToken } from './access-tokens/create.ts'
import { listAccessTokens } from './access-tokens/list.ts'
import { revokeAccessToken } from './access-tokens/revoke.ts'
import { changePassword } from './account/change-password.ts'
import { getEntitlements } from './account/entitlements.ts'
import { getUsage } from './account/usage.ts'
import { listCalls } from './analytics/calls.ts'
import { listCitedPages } from './analytics/cited-pages.ts'
import { exportCalls } from './analytics/export-calls.ts'
import { getRecentCalls } from './analytics/recent.ts'
import { getAnalytics } from './analytics/report.ts'
import { getQuality } from './analytics/quality.ts'
import { getSeries } from './analytics/series.ts'
import { getAnalyticsSummary } from './analytics/summary.ts'
import { listUnanswered } from './analytics/unanswered.ts'
import { getTrace } from './calls/trace.ts'
import { createCustomTool } from './custom-tools/create.ts'
import { deleteCustomTool } from './custom-tools/delete.ts'
import { getCustomTool } from './custom-tools/get.ts'
import { listCustomTools } from './custom-tools/list.ts'
import { retryCustomTool } from './custom-tools/retry.ts'
import { updateCustomTool } from './custom-tools/update.ts'
import { watchEvents } from './events/watch.ts'
import { createAttributionToken } from './attribution-tokens/create.ts'
import { deleteConfiguration } from './configurations/delete.ts'
import { listConfigurations } from './configurations/list.ts'
import { tryConfiguration } from './configurations/try.ts'
import { saveConfiguration } from './configurations/save.ts'
import { changeCredentials } from './credentials/change.ts'
import { getCredentials } from './credentials/get.ts'
import { askEmbedded } from './embed/ask.ts'
import { getEmbedConfiguration } from './embed/configuration.ts'
import { saveEmbedFeedback } from './embed/feedback.ts'
import { openEmbedSession } from './embed/open-session.ts'
import { listAccounts } from './instance/accounts.ts'
import { listBackups } from './instance/backups.ts'
import { changeAccountPlan } from './instance/change-plan.ts'
import { createBackup } from './instance/create-backup.ts'
import { getInstance } from './instance/get.ts'
import { listJobs } from './instance/jobs.ts'
import { dismissJob } from './instance/dismiss-job.ts'
import { retryJob } from './instance/retry-job.ts'
import { retryAllJobs } from './instance/retry-jobs.ts'
import { createApiKey } from './keys/create.ts'
import { listApiKeys } from './keys/list.ts'
import { revokeApiKey } from './keys/revoke.ts'
import { finishLink } from './linked-accounts/finish.ts'
import { getLinkedAccount } from './linked-accounts/get.ts'
import { linkAccount } from './linked-accounts/link.ts'
import { startLink } from './linked-accounts/start.ts'
import { unlinkAccount } from './linked-accounts/unlink.ts'
import { exportPages } from './pages/export.ts'
import { listPages } from './pages/list.ts'
import { listPlans } from './plans/list.ts'
import { listAllPurchases, listPurchases } from './purchases/list.ts'
import { requestPlan, requestSources } from './purchases/request.ts'
import { grantRequest, refuseRequest, withdrawRequest } from './purchases/settle.ts'
import { createRule } from './retrieval-rules/create.ts'
import { deleteRule } from './retrieval-rules/delete.ts'
import { previewRule } from './retrieval-rules/preview.ts'
import { listRules } from './retrieval-rules/list.ts'
import { updateRule } from './retrieval-rules/update.ts'
import { crawlOneServer, crawlServer } from './servers/crawl.ts'
import { createServer } from './servers/create.ts'
import { deleteServer } from './servers/delete.ts'
import { getServer } from './servers/get.ts'
import { listServers } from './servers/list.ts'
import { getProgress } from './servers/progress.ts'
import { restoreServer } from './servers/restore.ts'
import { setVisibility } from './servers/set-visibility.ts'
import { updateServer } from './servers/update.ts'
import { createSession } from './sessions/create.ts'
import { endSessions } from './sessions/end.ts'
import { listSessions } from './sessions/list.ts'
import { claimSetup } from './setup/claim.ts'
import { getSetup } from './setup/get.ts'
import { signUp } from './setup/sign-up.ts'
import { addSource } from './sources/add.ts'
import { changeCredential } from './sources/change-credential.ts'
import { detectSource } from './sources/detect.ts'
import { removeSource } from './sources/remove.ts'
import { updateSource } from './sources/update.ts'
import { uploadSource } from './uploads/upload.ts'
import { changeServerTools } from './tools/change.ts'
import { getServerTools } from './tools/get.ts'
import { tryTool } from './tools/try.ts'
import { createWebhook } from './webhooks/create.ts'
import { removeWebhook } from './webhooks/delete.ts'
import { listDeliveries, resendDelivery, testWebhook } from './webhooks/deliveries.ts'
import { listWebhooks } from './webhooks/list.ts'
import { rotateWebhook } from './webhooks/rotate.ts'
import { updateWebhook } from './webhooks/update.ts'

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
