import type { Example } from './example.ts'
import { accessTokenExamples } from '#reference/examples/access-tokens.ts'
import { accountExamples } from '#reference/examples/account.ts'
import { analyticsExamples } from '#reference/examples/analytics.ts'
import { configurationExamples, credentialExamples, embedExamples } from '#reference/examples/developers.ts'
import { callExamples } from '#reference/examples/calls.ts'
import { customToolExamples } from '#reference/examples/custom-tools.ts'
import { instanceExamples } from '#reference/examples/instance.ts'
import { linkedAccountExamples } from '#reference/examples/linked-accounts.ts'
import { pageExamples } from '#reference/examples/pages.ts'
import { purchaseExamples } from '#reference/examples/purchases.ts'
import { ruleExamples } from '#reference/examples/retrieval-rules.ts'
import { serverExamples } from '#reference/examples/servers.ts'
import { sessionExamples } from '#reference/examples/sessions.ts'
import { setupExamples } from '#reference/examples/setup.ts'
import { sourceExamples } from '#reference/examples/sources.ts'
import { toolExamples } from '#reference/examples/tools.ts'
import { webhookExamples } from '#reference/examples/webhooks.ts'
import type { OperationId } from '#operations.ts'

/**
 * One example of each operation, recorded from a service. Examples that need a code host, a remote MCP server or a
 * feature of a later version are written by hand.
 */
export const examples: { [Id in OperationId]: Example<Id> } = {
  ...serverExamples,
  ...sourceExamples,
  ...pageExamples,
  ...toolExamples,
  ...accessTokenExamples,
  ...customToolExamples,
  ...ruleExamples,
  ...analyticsExamples,
  ...callExamples,
  ...accountExamples,
  ...purchaseExamples,
  ...webhookExamples,
  ...sessionExamples,
  ...setupExamples,
  ...linkedAccountExamples,
  ...credentialExamples,
  ...configurationExamples,
  ...embedExamples,
  ...instanceExamples,
}
