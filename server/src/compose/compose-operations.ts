import { MAX_EVENT_STREAMS } from '@docent/contract/operations/events'
import type { CallRecorder } from '#analytics/record-calls.ts'
import type { CredentialUses } from '#auth/authenticate.ts'
import { createPasswordChecks } from '#auth/password.ts'
import { operatorsGrant } from '#billing/purchases.ts'
import type { Builds } from '#builder/open-builds.ts'
import { toolFor } from '#mcp/tools/tools.ts'
import { readAddress } from '#net/check-url.ts'
import { createProgressFeed } from '#operations/servers/progress-feed.ts'
import type { OperationDeps } from '#operations/operation.ts'
import { createRuleCompiler } from '#rules/compile-rule.ts'
import { improveByModel } from '#rules/improve-by-model.ts'
import type { Base } from './base.ts'
import type { Background } from './compose-background.ts'
import type { CodeHosts, Network } from './compose-network.ts'
import type { Instance, Webhooks } from './compose-instance.ts'
import type { Models } from './compose-models.ts'
import type { Reading, ToolCalls } from './compose-reading.ts'

type Parts = {
  network: Network
  reading: Reading
  models: Models
  codeHosts: CodeHosts
  toolCalls: ToolCalls
  uses: CredentialUses
  calls: CallRecorder
  mcp: Pick<OperationDeps, 'prepareEmbedded' | 'tryEmbedded' | 'tryTool'>
  background: Pick<Background, 'wake'>
  builds: Builds
  instance: Instance
  webhooks: Webhooks
}

/** Features of this version that do not depend on settings. */
const FEATURES = {
  retrievalRules: true,
} as const

/** The dependencies of the management API. */
export function composeOperations(base: Base, parts: Parts): OperationDeps {
  const { config, store, vault, baseUrl, onError } = base
  const { network, reading, models, codeHosts, toolCalls, uses, calls, mcp, background, builds, instance, webhooks } =
    parts
  return {
    store,
    clock: store.clock,
    config,
    instance: instance.facts,
    backups: instance.backups,
    baseUrl,
    readAddress,
    isOwnAddress: network.isOwnAddress,
    isPrivateByText: network.isPrivateByText,
    checkAddress: network.checkAddress,
    checkPassword: createPasswordChecks(),
    detectSource: (address, guess) => reading.detect(network.askingNet, address, guess),
    net: network.askingNet,
    vault,
    linkedTokens: codeHosts.linkedTokens,
    hostApps: codeHosts.hostApps,
    openLiveSession: toolCalls.openLiveSession,
    inputSchemaOf: (name, sources) => toolFor(name, sources)?.listed.inputSchema ?? { type: 'object' },
    payments: operatorsGrant,
    testWebhook: webhooks.testWebhook,
    resendDelivery: webhooks.resendDelivery,
    announceLimit: webhooks.announceLimit,
    progressFeed: createProgressFeed({ store, clock: store.clock, maxStreams: MAX_EVENT_STREAMS, onError }),
    builds,
    wakeWorker: background.wake,
    noteUse: ({ kind, id }) => uses.note(kind, id),
    flushCalls: () => calls.flush(),
    tryTool: mcp.tryTool,
    traceCall: (server, call) => toolCalls.tools.trace(server, call),
    compileRule: createRuleCompiler(),
    improveRule: (compiled, given, accountId) =>
      improveByModel({ model: models.modelFor(accountId), onFailure: onError }, compiled, given),
    missingPaths: (server, paths) => toolCalls.tools.missingPaths(server, paths),
    previewCall: (server, call, rules) => toolCalls.tools.preview(server, call, rules),
    prepareEmbedded: mcp.prepareEmbedded,
    tryEmbedded: mcp.tryEmbedded,
    features: {
      ...FEATURES,
      customTools: config.customTools,
      llm: config.llm !== null,
      embeddings: models.embedders !== null,
      javascriptRendering: reading.renderer !== null,
    },
  }
}
