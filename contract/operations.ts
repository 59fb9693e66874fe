import { accessTokenOperations } from '#accounts/access-tokens.ts'
import { accountOperations } from '#accounts/account.ts'
import { analyticsOperations } from '#analytics/analytics.ts'
import { configurationOperations } from '#embed/configurations.ts'
import { crawlOperations } from '#sources/crawls.ts'
import { customToolOperations } from '#tools/custom-tools.ts'
import { developerOperations } from '#accounts/developers.ts'
import { embedOperations } from '#embed/embed.ts'
import { eventOperations } from '#events/events.ts'
import { instanceOperations } from '#accounts/instance.ts'
import { keyOperations } from '#accounts/keys.ts'
import { linkedAccountOperations } from '#accounts/linked-accounts.ts'
import { purchaseOperations } from '#accounts/purchases.ts'
import { pageOperations } from '#servers/pages.ts'
import { retrievalRuleOperations } from '#servers/retrieval-rules.ts'
import { serverToolOperations } from '#servers/server-tools.ts'
import { serverOperations } from '#servers/servers.ts'
import { sessionOperations } from '#accounts/sessions.ts'
import { setupOperations } from '#accounts/setup.ts'
import { sourceOperations } from '#sources/source-operations.ts'
import { toolTrialOperations } from '#tools/tool-trials.ts'
import { traceOperations } from '#analytics/traces.ts'
import { uploadOperations } from '#sources/uploads.ts'
import { webhookOperations } from '#events/webhooks.ts'
import type { Operation } from './operation.ts'

/** The whole management interface, in the order of the reference. Every public interface is generated from it. */
export const operations = {
  ...serverOperations,
  ...crawlOperations,
  ...sourceOperations,
  ...uploadOperations,
  ...pageOperations,
  ...serverToolOperations,
  ...toolTrialOperations,
  ...accessTokenOperations,
  ...customToolOperations,
  ...retrievalRuleOperations,
  ...analyticsOperations,
  ...traceOperations,
  ...eventOperations,
  ...accountOperations,
  ...purchaseOperations,
  ...webhookOperations,
  ...keyOperations,
  ...sessionOperations,
  ...setupOperations,
  ...linkedAccountOperations,
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
