import { hash } from 'node:crypto'
import { APPROVAL_MINUTES, MAX_OPEN_APPROVALS } from '@docent/contract/operations/approvals'
import { type Operation, canNeedApproval, doesPublish } from '@docent/contract/operation'
import { type OperationId, operations } from '@docent/contract/operations'
import type { Actor } from '#auth/authenticate.ts'
import { DocentError, found } from '#errors.ts'
import { maskAddresses } from '#lib/addresses/secret-address.ts'
import { isoTimes } from '#lib/clock.ts'
import { newId } from '#lib/ids.ts'
import { findAccount } from '#store/accounts/accounts.ts'
import {
  type OpenApproval,
  deleteApproval,
  deleteOldApprovals,
  isApproved,
  keepRequest,
  listApprovals,
  markApproved,
  openApprovals,
  setAsksApproval,
  takeApproval,
} from '#store/accounts/approvals.ts'
import type { Db } from '#store/db.ts'
import { type HandlersOf, type OperationDeps, done } from '../operation.ts'

const MINUTE_MS = 60_000

export const approvalHandlers: HandlersOf<'approvals'> = {
  'approvals.list': async ({ deps: { store, clock, config }, actor: { accountId } }) => {
    const open = await listApprovals(store.read, accountId, openApprovals(clock()))
    const account = found(await findAccount(store.read, accountId), 'unauthorized')
    return { approvals: open.map(present), allKeys: account.asksApproval === 1, byInstance: config.approvals }
  },

  'approvals.approve': async ({ deps: { store, clock }, actor, approval }) => {
    refuseKeys(actor)
    const approvedAt = clock()
    await store.transaction(async (tx) => {
      if (!(await markApproved(tx, approval.id, approvedAt))) throw new DocentError('approval_not_found')
    })
    return present({ ...approval, approvedAt })
  },

  'approvals.refuse': ({ deps, approval }) => done(deps, (tx) => deleteApproval(tx, approval.id)),

  'approvals.change': async ({ deps: { store }, actor }, { allKeys }) => {
    refuseKeys(actor)
    await store.transaction((tx) => setAsksApproval(tx, actor.accountId, allKeys))
    return { ok: true }
  },
}

/** An assistant with a key must not be able to approve. */
function refuseKeys({ credential }: Actor): void {
  const text = 'Only a member can do this, signed in to the dashboard: a key could approve its own requests.'
  if (credential.kind !== 'session') throw new DocentError('not_permitted', { text })
}

function present({ keyId, keyName, createdAt, approvedAt, ...row }: OpenApproval) {
  const { request, approved } = APPROVAL_MINUTES
  const expiresAt = approvedAt === null ? createdAt + request * MINUTE_MS : approvedAt + approved * MINUTE_MS
  return {
    ...row,
    ...isoTimes({ createdAt, approvedAt, expiresAt }),
    key: { id: keyId, name: keyName },
    summary: operations[row.operation as OperationId].summary,
    arguments: JSON.parse(row.arguments) as Record<string, unknown>,
  }
}

/** Uses an approval up, in the transaction of the request. Throws `403 approval_required` if another request was first. */
type UseApproval = (tx: Db) => Promise<void>

/**
 * Finds the approval of a request that publishes, deletes or issues. Null if its key needs none. Throws `403
 * approval_required` without.
 */
export async function requireApproval(
  deps: OperationDeps,
  id: OperationId,
  { actor, named, input }: { actor: Actor; named: object | undefined; input: unknown },
): Promise<UseApproval | null> {
  const operation: Operation = operations[id]
  if (actor.credential.kind === 'session' || !canNeedApproval(operation) || !doesPublish(operation, input)) return null
  if (!actor.asksApproval && !deps.config.approvals) return null
  const { store, clock, baseUrl } = deps
  const now = clock()
  const keyId = actor.credential.id
  const { id: thingId = null, name } = thingOf(named)
  const request = hash('sha256', JSON.stringify([id, input, thingId]))
  const approval = { keyId, hash: request, approvedAfter: openApprovals(now).approvedAfter }
  const required = (query: string) =>
    new DocentError('approval_required', { fields: { approvalUrl: `${baseUrl()}/approvals${query}` } })
  if (await isApproved(store.write, approval))
    return async (tx) => {
      if (!(await takeApproval(tx, approval))) throw required('')
    }
  const approvalId = await store.transaction(async (tx) => {
    await deleteOldApprovals(tx, openApprovals(now), keyId)
    const about = { id: newId('apr'), accountId: actor.accountId, keyId, hash: request, operation: id, thing: name }
    return keepRequest(tx, { ...about, arguments: shown(input), createdAt: now, approvedAt: null }, MAX_OPEN_APPROVALS)
  })
  throw required(`?id=${approvalId}`)
}

/** Members that name a thing, in the order of preference. */
const NAMES = ['name', 'displayName', 'label', 'naturalLanguage', 'email', 'title', 'url', 'id'] as const

/** The id and the name of the last thing that a request names. */
function thingOf(named: object | undefined): { id?: string; name: string | null } {
  const things = Object.values((named ?? {}) as Record<string, { id?: string } | null>)
  const thing = things.findLast((each) => typeof each?.id === 'string') as Record<string, unknown> | undefined
  const name = NAMES.map((each) => thing?.[each]).find((each) => typeof each === 'string')
  return {
    ...(thing ? { id: String(thing['id']) } : {}),
    name: name?.slice(0, LONGEST) ?? null,
  }
}

const LONGEST = 200
const SECRETS = /password|current|secret|token$|code$|state$|auth|cookie|^(?:basic|header)$/i

/** Arguments for people: without secrets, also those in addresses, and with long texts cut. */
const shown = (input: unknown): string =>
  JSON.stringify(input, (name, value: unknown) => {
    if (SECRETS.test(name)) return undefined
    if (Array.isArray(value)) return value.slice(0, LONGEST)
    if (typeof value !== 'string') return value
    const masked = maskAddresses(value)
    return masked.length > LONGEST ? `${masked.slice(0, LONGEST)}…` : masked
  })
