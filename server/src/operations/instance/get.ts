import { readDatabaseFacts, readStorage } from '#store/instance/instance-report.ts'
import { countReportedJobs, oldestDueAt } from '#store/jobs/job-report.ts'
import { type Node, listNodes } from '#store/engine/processes.ts'
import type { Store } from '#store/db.ts'
import { isoTime } from '../servers/present.ts'
import type { Handler } from '../operation.ts'

export const getInstance: Handler<'instance.get'> = async ({ deps }) => {
  const { store, config, baseUrl, instance, features } = deps
  const [database, storage, queue, nodes] = await Promise.all([
    readDatabaseFacts(store),
    readStorage(store.read),
    readQueue(store),
    listNodes(store),
  ])
  const { machine, models, ...own } = instance
  return {
    version: own.version,
    nodeVersion: own.nodeVersion,
    startedAt: isoTime(own.startedAt),
    url: baseUrl(),
    database: { engine: store.engine, ...database },
    ...(await machine()),
    nodes: withThis(nodes, own).map(({ since, ...node }) => ({
      ...node,
      since: isoTime(since),
      isThis: node.id === own.id,
    })),
    queue,
    storage,
    models: { ...models, browser: features.javascriptRendering },
    settings: { signUps: config.signUps, defaultPlan: config.defaultPlan, rateLimits: config.rateLimits },
  }
}

/**
 * Adds this node if the database lists none of its connections: on SQLite, or if the database URL sets an application
 * name.
 */
function withThis(nodes: Node[], { id, role, version, host, startedAt }: OwnNode): Node[] {
  if (nodes.some((node) => node.id === id)) return nodes
  return [...nodes, { id, role, version, host, since: startedAt }]
}

type OwnNode = Omit<Node, 'since'> & { startedAt: number }

async function readQueue(store: Store) {
  const { read } = store
  const [queued, running, failed, oldest] = await Promise.all([
    countReportedJobs(read, 'queued'),
    countReportedJobs(read, 'running'),
    countReportedJobs(read, 'failed'),
    oldestDueAt(read),
  ])
  return { queued, running, failed, oldestDueAt: oldest === null ? null : isoTime(oldest) }
}
