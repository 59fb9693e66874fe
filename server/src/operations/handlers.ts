import type { OperationId } from '@docent/contract/operations'
import { accountHandlers } from './account/account.ts'
import { approvalHandlers } from './account/approvals.ts'
import { auditHandlers } from './account/audit.ts'
import { connectionHandlers } from './account/connections.ts'
import { accessTokenHandlers, keyHandlers } from './account/keys.ts'
import { linkedAccountHandlers } from './account/linked-accounts.ts'
import { pushHandlers } from './sources/pushes.ts'
import { siteAccessHandlers } from './sources/site-access.ts'
import { memberHandlers } from './account/members.ts'
import { purchaseHandlers } from './account/purchases.ts'
import { sessionHandlers } from './account/sessions.ts'
import { callHandlers } from './analytics/calls.ts'
import { reportHandlers } from './analytics/report.ts'
import { seriesHandlers } from './analytics/series.ts'
import { listUnanswered } from './analytics/unanswered.ts'
import { customToolHandlers } from './custom-tools.ts'
import { configurationHandlers } from './embed/configurations.ts'
import { embedHandlers } from './embed/embed.ts'
import { instanceHandlers } from './instance.ts'
import type { Handler } from './operation.ts'
import { pinHandlers } from './pins.ts'
import { ruleHandlers } from './retrieval-rules.ts'
import { eventHandlers } from './servers/events.ts'
import { pageHandlers } from './servers/pages.ts'
import { serverHandlers } from './servers/servers.ts'
import { toolHandlers } from './servers/tools.ts'
import { sourceHandlers } from './sources/sources.ts'
import { webhookHandlers } from './webhooks.ts'

/** One handler per operation of the contract. The type rejects a missing one. */
export const handlers: { [Id in OperationId]: Handler<Id> } = {
  ...serverHandlers,
  ...sourceHandlers,
  ...pageHandlers,
  ...toolHandlers,
  ...customToolHandlers,
  ...ruleHandlers,
  ...pinHandlers,
  ...callHandlers,
  ...reportHandlers,
  ...seriesHandlers,
  'analytics.unanswered': listUnanswered,
  ...eventHandlers,
  ...accountHandlers,
  ...keyHandlers,
  ...connectionHandlers,
  ...accessTokenHandlers,
  ...linkedAccountHandlers,
  ...siteAccessHandlers,
  ...pushHandlers,
  ...purchaseHandlers,
  ...sessionHandlers,
  ...memberHandlers,
  ...approvalHandlers,
  ...auditHandlers,
  ...webhookHandlers,
  ...configurationHandlers,
  ...embedHandlers,
  ...instanceHandlers,
}
