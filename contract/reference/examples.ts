import type { Example, Separate } from './example.ts'
import { accountExamples } from '#reference/examples/account.ts'
import { analyticsExamples } from '#reference/examples/analytics.ts'
import { configurationExamples, credentialExamples, embedExamples } from '#reference/examples/developers.ts'
import { callExamples } from '#reference/examples/calls.ts'
import { customToolExamples } from '#reference/examples/custom-tools.ts'
import { instanceExamples } from '#reference/examples/instance.ts'
import { linkedAccountExamples } from '#reference/examples/linked-accounts.ts'
import { pushExamples } from '#reference/examples/pushes.ts'
import { siteAccessExamples } from '#reference/examples/site-access.ts'
import { pageExamples } from '#reference/examples/pages.ts'
import { pinExamples } from '#reference/examples/pins.ts'
import { purchaseExamples } from '#reference/examples/purchases.ts'
import { ruleExamples } from '#reference/examples/retrieval-rules.ts'
import { serverExamples } from '#reference/examples/servers.ts'
import { sessionExamples } from '#reference/examples/sessions.ts'
import { setupExamples } from '#reference/examples/setup.ts'
import { sourceExamples } from '#reference/examples/sources.ts'
import { toolExamples } from '#reference/examples/tools.ts'
import { webhookExamples } from '#reference/examples/webhooks.ts'
import type { Operation, OperationExample } from '#operation.ts'
import { type OperationId, operations } from '#operations.ts'

/**
 * Examples recorded from a service. Those that need a code host, a remote MCP server or a feature of a later version are
 * written by hand.
 */
const separate: { [Id in Separate]: Example<Id> } = {
  ...serverExamples,
  ...sourceExamples,
  ...pageExamples,
  ...toolExamples,
  ...customToolExamples,
  ...ruleExamples,
  ...pinExamples,
  ...analyticsExamples,
  ...callExamples,
  ...accountExamples,
  ...purchaseExamples,
  ...webhookExamples,
  ...sessionExamples,
  ...setupExamples,
  ...linkedAccountExamples,
  ...siteAccessExamples,
  ...pushExamples,
  ...credentialExamples,
  ...configurationExamples,
  ...embedExamples,
  ...instanceExamples,
}

/** The example of each operation. */
export const examples = Object.fromEntries<OperationExample | undefined>(
  Object.entries<Operation>(operations).map(([id, { example }]) => [id, example ?? separate[id as Separate]]),
) as Record<OperationId, OperationExample>
