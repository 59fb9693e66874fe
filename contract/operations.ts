import { accessTokenOperations } from './access-tokens.ts'
import { accountOperations } from './account.ts'
import { analyticsOperations } from './analytics.ts'
import { configurationOperations } from './configurations.ts'
import { crawlOperations } from './crawls.ts'
import { customToolOperations } from './custom-tools.ts'
import { developerOperations } from './developers.ts'
import { embedOperations } from './embed.ts'
import { eventOperations } from './events.ts'
import { instanceOperations } from './instance.ts'
import { keyOperations } from './keys.ts'
import { linkedAccountOperations } from './linked-accounts.ts'
import { purchaseOperations } from './purchases.ts'
import { pageOperations } from './pages.ts'
import { retrievalRuleOperations } from './retrieval-rules.ts'
import { serverToolOperations } from './server-tools.ts'
import { serverOperations } from './servers.ts'
import { sessionOperations } from './sessions.ts'
import { setupOperations } from './setup.ts'
import { sourceOperations } from './source-operations.ts'
import { toolTrialOperations } from './tool-trials.ts'
import { traceOperations } from './traces.ts'
import { uploadOperations } from './uploads.ts'
import { webhookOperations } from './webhooks.ts'
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
