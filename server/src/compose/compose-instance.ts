import { statfs } from 'node:fs/promises'
import { availableParallelism, freemem, hostname, totalmem } from 'node:os'
import { type Backups, openBackups } from '#backup/open-backups.ts'
import type { Config } from '#config.ts'
import type { InstanceFacts, ModelFacts, OperationDeps } from '#operations/operation.ts'
import { readProcessName } from '#store/engine/processes.ts'
import { VERSION } from '#version.ts'
import { type ReachedLimit, announceLimit } from '#webhooks/announce.ts'
import { type DeliverDeps, deliverAgain, deliverTest } from '#webhooks/deliver.ts'
import { Deliverer } from '#webhooks/deliverer.ts'
import type { Base } from './base.ts'
import type { Network } from './compose-network.ts'

export type Instance = { facts: InstanceFacts; backups: Backups }

/** The operator's view of this node, and its backups. */
export function composeInstance({ config, processName, stack, onError }: Base): Instance {
  const { backupDir, database, dataDir, role } = config
  return {
    backups: stack.use(openBackups({ backupDir, database, version: VERSION, onError })),
    facts: {
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
  return {
    language: llm && { model: llm.model, at: new URL(llm.baseUrl).host },
    embeddings: embeddings && embeddingFacts(embeddings),
  }
}

function embeddingFacts(embeddings: NonNullable<Config['embeddings']>): ModelFacts {
  return embeddings.kind === 'endpoint'
    ? { model: embeddings.model, at: new URL(embeddings.baseUrl).host }
    : { model: embeddings.path, at: 'this machine' }
}

export type Webhooks = Pick<OperationDeps, 'testWebhook' | 'resendDelivery' | 'announceLimit'> & {
  /** Starts to send due deliveries, until the service stops. */
  start: () => void
}

/** The webhooks of accounts: any node announces limits and sends tests, workers send the rest. */
export function composeWebhooks({ store, vault, stack, onError }: Base, { webhookNet: net }: Network): Webhooks {
  const deps: DeliverDeps = { store, vault, net }
  return {
    testWebhook: (webhook, signal) => deliverTest(deps, webhook, signal),
    resendDelivery: (delivery, signal) => deliverAgain(deps, delivery, signal),
    // The refusal itself must reach the caller whatever happens here.
    announceLimit: (reached: ReachedLimit) => announceLimit(store, reached).catch(onError),
    start: () => void stack.use(new Deliverer({ ...deps, onError })),
  }
}
