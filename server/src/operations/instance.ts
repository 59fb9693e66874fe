import { INSTANCE_PAGE_SIZE } from '@docent/contract/operations/instance'
import { PLAN_NAMES, type PlanName } from '@docent/contract/operations/purchases'
import {
  readDatabaseFacts,
  readStorage,
  countReportedAccounts,
  listReportedAccounts,
  type ReportedAccount,
} from '#store/instance/instance-report.ts'
import { countReportedJobs, oldestDueAt } from '#store/jobs/job-report.ts'
import { type Node, listNodes } from '#store/engine/processes.ts'
import type { Store } from '#store/db.ts'
import { isoTime, isoTimeOrNull, monthOf } from '#lib/clock.ts'
import { DocentError } from '#errors.ts'
import { setPlan } from '#store/accounts/accounts.ts'
import type { Handler } from './operation.ts'
import { pagingOf, partOf } from './paging.ts'

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
  return { queued, running, failed, oldestDueAt: isoTimeOrNull(oldest) }
}

export const listAccounts: Handler<'instance.accounts'> = async ({ deps }, { email, page }) => {
  const { read } = deps.store
  const total = await countReportedAccounts(read, { email })
  const month = monthOf(deps.clock()).name
  const rows = await listReportedAccounts(read, { email, month }, partOf(page, INSTANCE_PAGE_SIZE))
  return { accounts: rows.map(presentAccount), ...pagingOf(page, INSTANCE_PAGE_SIZE, total) }
}

export const changeAccountPlan: Handler<'instance.changePlan'> = async ({ deps, account }, { plan }) => {
  const { store, clock } = deps
  await setPlan(store.write, account.id, plan)
  const wanted = { id: account.id, month: monthOf(clock()).name }
  const [changed] = await listReportedAccounts(store.write, wanted, partOf(1, 1))
  if (!changed) throw new DocentError('account_not_found')
  return presentAccount(changed)
}

export const listBackups: Handler<'instance.backups'> = ({ deps }) => deps.backups.list()

export const createBackup: Handler<'instance.createBackup'> = async ({ deps }) => {
  const begun = await deps.backups.begin()
  if (!begun) throw new DocentError('backup_running')
  return begun
}

function presentAccount({ isOperator, trialEndsAt, createdAt, plan, ...account }: ReportedAccount) {
  return {
    ...account,
    // Unknown names have the limits of the smallest plan.
    plan: PLAN_NAMES.find((name) => name === plan) ?? ('free' satisfies PlanName),
    isOperator: isOperator === 1,
    trialEndsAt: isoTimeOrNull(trialEndsAt),
    createdAt: isoTime(createdAt),
  }
}
