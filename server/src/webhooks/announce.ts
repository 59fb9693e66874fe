import type { ErrorCode } from '@docent/contract/errors'
import type { EventData, WebhookEvent } from '@docent/contract/operations/webhooks'
import { monthOf } from '#lib/clock.ts'
import type { Db, Store } from '#store/db.ts'
import { queueEvent } from '#store/webhooks/deliveries.ts'
import { insertNotice, subscribersOf, findSubscribedServer } from '#store/webhooks/webhooks.ts'
import type { Job } from '#store/jobs/job.ts'
import { finishReading } from '#jobs/enqueue-ingest.ts'
import { type JobOutcome, hasOpenIngests } from '#store/jobs/queue.ts'
import { lockServer } from '#store/servers/servers.ts'
import { type SourceRow, listSources } from '#store/sources/sources.ts'

/** Queues an event in the transaction of its cause. `about` is what the event says, and about whom. */
type Sender<Type extends WebhookEvent> = (tx: Db, about: About<Type>, now: number) => Promise<unknown>

type About<Type extends WebhookEvent> = { accountId: string; serverId: string | null; data: EventData<Type> }

/** The sender of each event. An event of the contract without one does not compile. */
export const SEND_EVENT: { readonly [Type in WebhookEvent]: Sender<Type> } = {
  'server.indexed': toAccount('server.indexed'),
  'server.failed': toAccount('server.failed'),
  'question.unanswered': toAccount('question.unanswered'),
  'limit.reached': toAccount('limit.reached'),
  'purchase.requested': (tx, { serverId, data }, now) =>
    queueEvent(tx, { type: 'purchase.requested', to: 'operators', serverId, data }, now),
}

function toAccount<Type extends WebhookEvent>(type: Type): Sender<Type> {
  return (tx, { accountId, serverId, data }, now) => queueEvent(tx, { type, to: { accountId }, serverId, data }, now)
}

/** A limit of the plan that an account has reached. `limit` is its name in the entitlements. */
export type ReachedLimit = {
  accountId: string
  limit: string
  allowed: number
  serverId: string | null
  /** End of the period, for limits that start again. */
  resetsAt: number | null
}

/** Names of the limits behind refusals. */
const LIMITS: { readonly [Code in ErrorCode]?: string } = {
  source_limit: 'sourcesPerServer',
  source_limit_reached: 'sourcesPerServer',
  source_credit_required: 'sourcesPerServer',
  source_size_limit_reached: 'sourceBytesPerServer',
  enterprise_limit: 'servers',
  server_limit: 'servers',
  custom_tool_limit: 'customTools',
  rule_limit: 'rulesPerServer',
}

/** The limit of the plan that a refusal is about. Null for other refusals. */
export function limitOfRefusal(code: ErrorCode, fields: Record<string, unknown>) {
  const limit = LIMITS[code]
  const { limit: allowed } = fields
  return limit !== undefined && typeof allowed === 'number' ? { limit, allowed } : null
}

/** Queues `limit.reached`, once per limit, server and calendar month. Writes nothing if no webhook gets it. */
export async function announceLimit(store: Store, { accountId, ...reached }: ReachedLimit): Promise<void> {
  const subscribers = await subscribersOf(store.read, 'limit.reached', { accountId })
  if (subscribers.length === 0) return
  const now = store.clock()
  const { limit, allowed, serverId, resetsAt } = reached
  await store.transaction(async (tx) => {
    const subject = serverId === null ? limit : `${limit} ${serverId}`
    const notice = { accountId, subject, period: monthOf(now).name, createdAt: now }
    if (!(await insertNotice(tx, notice))) return
    const data = { limit, allowed, serverId, resetsAt: resetsAt === null ? null : new Date(resetsAt).toISOString() }
    await SEND_EVENT['limit.reached'](tx, { accountId, serverId, data }, now)
  })
}

/** Sources in an event: a bound for its size. */
const MAX_SOURCES = 50

const resultOf = ({ id, url, label, crawlStatus, crawlError, pagesIndexed, pagesFailed }: SourceRow) => {
  return { id, url, label, crawlStatus, crawlError, pagesIndexed, pagesFailed }
}

/** Ends a job, and with the last one of a server queues its event. The lock makes exactly one job the last. */
export async function finishJob(store: Store, job: Job, outcome: JobOutcome): Promise<void> {
  const serverId = job.kind === 'ingest' ? await findSubscribedServer(store.read, job) : null
  if (serverId === null) return void (await store.transaction((tx) => finishReading(tx, job, outcome)))
  await store.transaction(async (tx) => {
    const server = await lockServer(tx, serverId)
    const isEnded = await finishReading(tx, job, outcome)
    if (!server || !isEnded || (await hasOpenIngests(tx, serverId))) return
    const sources = await listSources(tx, serverId)
    const isActive = sources.length === 0 || sources.some(({ crawlStatus }) => crawlStatus === 'complete')
    const { id, slug, name, accountId } = server
    const data = {
      serverId: id,
      slug,
      name,
      status: isActive ? ('active' as const) : ('error' as const),
      sourceCount: sources.length,
      sources: sources.slice(0, MAX_SOURCES).map(resultOf),
    }
    const send = SEND_EVENT[isActive ? 'server.indexed' : 'server.failed']
    await send(tx, { accountId, serverId: id, data }, store.clock())
  })
}
