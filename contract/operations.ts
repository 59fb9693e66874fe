import { accessTokenOperations } from '#operations/access-tokens.ts'
import { accountOperations } from '#operations/account.ts'
import { approvalOperations } from '#operations/approvals.ts'
import { auditOperations } from '#operations/audit.ts'
import { analyticsOperations } from '#operations/analytics.ts'
import { connectionOperations } from '#operations/connections.ts'
import { configurationOperations } from '#operations/configurations.ts'
import { crawlOperations } from '#operations/crawls.ts'
import { customToolOperations } from '#operations/custom-tools.ts'
import { developerOperations } from '#operations/developers.ts'
import { embedOperations } from '#operations/embed.ts'
import { eventOperations } from '#operations/events.ts'
import { instanceOperations } from '#operations/instance.ts'
import { memberOperations } from '#operations/members.ts'
import { keyOperations } from '#operations/keys.ts'
import { linkedAccountOperations } from '#operations/linked-accounts.ts'
import { siteAccessOperations } from '#operations/site-access.ts'
import { purchaseOperations } from '#operations/purchases.ts'
import { pushOperations, PUSH_RATE } from '#operations/pushes.ts'
import { pinOperations } from '#operations/pins.ts'
import { pageOperations } from '#operations/pages.ts'
import { retrievalRuleOperations } from '#operations/retrieval-rules.ts'
import { serverToolOperations } from '#operations/server-tools.ts'
import { serverOperations } from '#operations/servers.ts'
import { serverFileOperations } from '#operations/server-files.ts'
import { sessionOperations } from '#operations/sessions.ts'
import { setupOperations } from '#operations/setup.ts'
import { sourceOperations } from '#operations/source-operations.ts'
import { toolTrialOperations } from '#operations/tool-trials.ts'
import { traceOperations } from '#operations/traces.ts'
import { uploadOperations } from '#operations/uploads.ts'
import { webhookOperations } from '#operations/webhooks.ts'
import { ACCOUNT_ENDPOINT_RATE } from './account-tool.ts'
import type { Operation } from './operation.ts'
import { MCP_RATE, type RateLimit } from './rate-limit.ts'

/** The whole management interface, in the order of the reference. Every public interface is generated from it. */
export const operations = {
  ...serverOperations,
  ...serverFileOperations,
  ...crawlOperations,
  ...sourceOperations,
  ...uploadOperations,
  ...pageOperations,
  ...serverToolOperations,
  ...toolTrialOperations,
  ...accessTokenOperations,
  ...customToolOperations,
  ...retrievalRuleOperations,
  ...pinOperations,
  ...analyticsOperations,
  ...traceOperations,
  ...eventOperations,
  ...accountOperations,
  ...purchaseOperations,
  ...webhookOperations,
  ...pushOperations,
  ...keyOperations,
  ...connectionOperations,
  ...sessionOperations,
  ...memberOperations,
  ...approvalOperations,
  ...auditOperations,
  ...setupOperations,
  ...linkedAccountOperations,
  ...siteAccessOperations,
  ...developerOperations,
  ...configurationOperations,
  ...embedOperations,
  ...instanceOperations,
} as const satisfies Record<string, Operation>

export type OperationId = keyof typeof operations

/** First path segments under `/api/mcp/` that operations use, so they cannot be slugs. */
export const RESERVED_SLUGS: ReadonlySet<string> = new Set(
  Object.values(operations).flatMap(({ path }) => /^\/api\/mcp\/([a-z-]+)/.exec(path)?.[1] ?? []),
)

/** Rate limits of an account's requests, in the order of the operations, and of messages to MCP endpoints. */
export const RATE_LIMITS: readonly RateLimit[] = [
  ...Object.values<Operation>(operations).flatMap(({ rateLimit }) => rateLimit ?? []),
  MCP_RATE,
  ACCOUNT_ENDPOINT_RATE,
  PUSH_RATE,
]
