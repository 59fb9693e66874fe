import { statfs } from 'node:fs/promises'
import { availableParallelism, freemem, hostname, totalmem } from 'node:os'
import { MAX_EVENT_STREAMS } from '@docent/contract/operations/events'
import type { CallRecorder } from '#analytics/record-calls.ts'
import type { CredentialUses } from '#auth/authenticate.ts'
import { createPasswordChecks } from '#auth/password.ts'
import { openBackups } from '#backup/open-backups.ts'
import { operatorsGrant } from '#billing/purchases.ts'
import type { Builds } from '#builder/open-builds.ts'
import type { Config } from '#config.ts'
import { ToolError } from '#mcp/definition/tool-result.ts'
import { toolFor } from '#mcp/tools/tools.ts'
import { forAddress } from '#net/secret-address-client.ts'
import type { InstanceFacts, OperationDeps } from '#operations/operation.ts'
import { ProgressFeed } from '#operations/servers/events.ts'
import { createRuleCompiler } from '#rules/compile-rule.ts'
import { improveByModel } from '#rules/improve-by-model.ts'
import { readProcessName } from '#store/engine/processes.ts'
import { VERSION } from '#version.ts'
import { announceLimit } from '#webhooks/announce.ts'
import { type DeliverDeps, Deliverer, deliverAgain, deliverTest } from '#webhooks/deliver.ts'
import type { Base } from './base.ts'
import type { Background } from './compose-background.ts'
import type { Mcp, ToolCalls } from './compose-mcp.ts'
import type { Models } from './compose-models.ts'
import { type CodeHosts, type Network, type Reading, composeSignInProviders } from './compose-network.ts'

function composeInstance({ config, processName, stack, onError }: Base) {
  const { backupDir, database, blobs, dataDir, role } = config
  return {
    backups: stack.use(openBackups({ backupDir, database, blobs, version: VERSION, onError })),
    instance: {
      id: readProcessName(processName)?.id ?? '',
      role,
      version: VERSION,
      nodeVersion: process.versions.node,
      host: hostname(),
      startedAt: Math.round(performance.timeOrigin),
      models: modelsOf(config),
      async machine() {
        const { bavail, blocks, bsize } = await statfs(dataDir)
        return {
          disk: { folder: dataDir, freeBytes: bavail * bsize, totalBytes: blocks * bsize },
          memory: {
            usedBytes: process.memoryUsage.rss(),
            freeBytes: freemem(),
            totalBytes: totalmem(),
            processors: availableParallelism(),
          },
        }
      },
    },
  }
}

function modelsOf({ llm, embeddings }: Config): InstanceFacts['models'] {
  const remote = ({ model, baseUrl }: { model: string; baseUrl: string }) => ({ model, at: new URL(baseUrl).host })
  const local = embeddings?.kind === 'local' ? { model: embeddings.path, at: 'this machine' } : null
  return { language: llm && remote(llm), embeddings: embeddings?.kind === 'endpoint' ? remote(embeddings) : local }
}

export type Webhooks = ReturnType<typeof composeWebhooks>['webhooks']

/** The webhooks of accounts: any node announces limits and sends tests, workers send the rest. */
export function composeWebhooks({ store, vault, stack, onError }: Base, { webhookNet: net }: Network) {
  const deps: DeliverDeps = { store, vault, net }
  const webhooks: Pick<OperationDeps, 'testWebhook' | 'resendDelivery' | 'announceLimit'> = {
    testWebhook: (webhook, signal) => deliverTest(deps, webhook, signal),
    resendDelivery: (delivery, signal) => deliverAgain(deps, delivery, signal),
    // The refusal itself must reach the caller whatever happens here.
    announceLimit: (reached) => announceLimit(store, reached).catch(onError),
  }
  const startDeliveries = () => void stack.use(new Deliverer({ ...deps, onError }))
  return { webhooks, startDeliveries }
}

type Parts = {
  network: Network
  reading: Reading
  models: Models
  codeHosts: CodeHosts
  toolCalls: ToolCalls
  uses: CredentialUses
  calls: CallRecorder
  mcp: Mcp
  background: Pick<Background, 'wake'>
  builds: Builds
  webhooks: Webhooks
}

/** The dependencies of the management API. */
export function composeOperations(base: Base, parts: Parts): OperationDeps {
  const { config, store, vault, baseUrl, onError } = base
  const { network, reading, models, codeHosts, toolCalls, uses, calls, mcp, background, builds, webhooks } = parts
  const { checks, askingNet } = network
  return {
    store,
    clock: store.clock,
    config,
    ...composeInstance(base),
    baseUrl,
    ...checks,
    checkPassword: createPasswordChecks(),
    detectSource(address, guess) {
      const { net, href } = forAddress(askingNet, address.href)
      return reading.detect(net, new URL(href), guess)
    },
    async lookUpRepository(address) {
      const { lookUpRepository } = await import('#sources/repository/look-up-repository.ts')
      const { net, href } = forAddress(askingNet, address.href)
      await lookUpRepository({ fetch: net.fetch, githubApiUrl: config.githubApiUrl }, new URL(href))
    },
    net: askingNet,
    vault,
    ...codeHosts,
    signInProviders: composeSignInProviders(base),
    openLiveSession: toolCalls.openLiveSession,
    inputSchemaOf: (name, sources) => toolFor(name, sources)?.listed.inputSchema ?? { type: 'object' },
    payments: operatorsGrant,
    ...webhooks,
    progressFeed: new ProgressFeed({ store, clock: store.clock, maxStreams: MAX_EVENT_STREAMS, onError }),
    builds,
    wakeWorker: background.wake,
    noteUse: ({ kind, id }) => uses.note(kind, id),
    flushUses: () => uses.flush(),
    flushCalls: () => calls.flush(),
    ...mcp.answers,
    traceCall: (server, call) => toolCalls.tools.run(server, 'trace', { call }),
    compileRule: createRuleCompiler(),
    improveRule: (compiled, given, accountId) =>
      improveByModel({ model: models.modelFor(accountId), onFailure: onError }, compiled, given),
    lookUpPlaces: (server, questions) => toolCalls.tools.run(server, 'names', { questions }),
    previewCall: (server, call, changes) =>
      toolCalls.tools.run(server, 'preview', { call, changes }).catch(nullIfRefused),
    findSections: (server, asked) => toolCalls.tools.run(server, 'sections', asked),
    findPlaces: (server, addresses) => toolCalls.tools.run(server, 'places', { addresses }),
    features: {
      customTools: config.customTools,
      retrievalRules: true,
      llm: config.llm !== null,
      embeddings: models.embedders !== null,
      javascriptRendering: reading.renderer !== null,
    },
  }
}

/** A call that takes too long has no preview. */
function nullIfRefused(error: unknown): null {
  if (error instanceof ToolError) return null
  throw error
}
