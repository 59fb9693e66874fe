import type { Example } from './example.ts'
import { accessTokenExamples } from './examples/access-tokens.ts'
import { accountExamples } from './examples/account.ts'
import { analyticsExamples } from './examples/analytics.ts'
import { configurationExamples, credentialExamples, embedExamples } from './examples/developers.ts'
import { callExamples } from './examples/calls.ts'
import { customToolExamples } from './examples/custom-tools.ts'
import { instanceExamples } from './examples/instance.ts'
import { linkedAccountExamples } from './examples/linked-accounts.ts'
import { pageExamples } from './examples/pages.ts'
import { purchaseExamples } from './examples/purchases.ts'
import { ruleExamples } from './examples/retrieval-rules.ts'
import { serverExamples } from './examples/servers.ts'
import { sessionExamples } from './examples/sessions.ts'
import { setupExamples } from './examples/setup.ts'
import { sourceExamples } from './examples/sources.ts'
import { toolExamples } from './examples/tools.ts'
import { webhookExamples } from './examples/webhooks.ts'
import type { OperationId } from './operations.ts'

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
