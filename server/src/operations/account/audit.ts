import { AUDIT_PAGE_SIZE } from '@docent/contract/limits'
import { NO_CALLER_LIMITS } from '@docent/contract/values/caller-limits'
import type { Operation } from '@docent/contract/operation'
import type { OperationId } from '@docent/contract/operations'
import type { Actor } from '#auth/authenticate.ts'
import { isoTime } from '#lib/clock.ts'
import ID_KINDS from '#lib/id-kinds.json' with { type: 'json' }
import {
  type AuditEntry,
  type AuditFilter,
  countAuditEntries,
  insertAuditEntry,
  listAuditEntries,
} from '#store/accounts/audit.ts'
import type { Db, Store } from '#store/db.ts'
import type { HandlersOf } from '../operation.ts'
import { pagingOf, partOf } from '../paging.ts'

/** Entries per read of an export. */
const BATCH = 500

export const auditHandlers: HandlersOf<'audit'> = {
  'audit.list': async ({ deps: { store }, actor: { accountId } }, { page, ...filter }) => {
    const total = await countAuditEntries(store.read, accountId, filter)
    const entries = await listAuditEntries(store.read, accountId, { ...filter, ...partOf(page, AUDIT_PAGE_SIZE) })
    return { entries: entries.map(present), ...pagingOf(page, AUDIT_PAGE_SIZE, total) }
  },

  'audit.export': async ({ deps, actor }, { format: _, ...filter }) =>
    exportedEntries(deps.store.read, actor.accountId, filter),
}

const present = ({ at, ...entry }: AuditEntry) => ({ at: isoTime(at), ...entry })

async function* exportedEntries(db: Db, accountId: string, filter: AuditFilter) {
  for (let before: number | null = null; ;) {
    const batch: AuditEntry[] = await listAuditEntries(db, accountId, { ...filter, limit: BATCH, offset: 0, before })
    yield* batch.map(present)
    const last = batch.at(-1)
    if (batch.length < BATCH || !last) return
    before = last.id
  }
}

const LIMITS = Object.keys(NO_CALLER_LIMITS)

/** Fields of requests that say what was done. None can have a secret or a text of a source. */
const TOLD = ['role', 'visibility', 'plan', 'scopes', 'serverIds', 'email', 'format', 'keepKeys', ...LIMITS] as const

/** True for changes and for reads that take data or secrets out. Questions and reads of lists are not recorded. */
export const isAudited = ({ audited, method, needs }: Operation): boolean =>
  audited ?? (method !== 'GET' && (needs?.[1] === 'write' || needs?.[1] === 'publish'))

/** The kind of a thing in words, from the beginning of its id. */
const kindOf = (id: string): string | null =>
  (ID_KINDS as Partial<Record<string, string>>)[id.split('_')[0] ?? ''] ?? null

type Act = {
  at: number
  actor: Actor
  named: object | undefined
  input: unknown
  answer: unknown
  address: string | undefined
}

/**
 * The store of an operation, whose first transaction also has the record. Reads and requests that change nothing need no
 * transaction: they are recorded with `record` before their answer leaves.
 */
export function recordOnce(store: Store, record: (tx: Db, made: unknown) => Promise<void>) {
  let isRecorded = false
  let recordedIn: Db | null = null
  const recordIn = async (tx: Db, made: unknown) => {
    if (isRecorded || tx === recordedIn) return
    await record(tx, made)
    recordedIn = tx
  }
  const transaction: Store['transaction'] = async (body) => {
    const made = await store.transaction(async (tx) => {
      const result = await body(tx)
      await recordIn(tx, result)
      return result
    })
    isRecorded = true
    return made
  }
  return { store: { ...store, transaction }, record: recordIn }
}

/** Records what an operation has done. */
export async function recordAct(db: Db, action: OperationId, act: Act): Promise<void> {
  const { accountId, personId, credential } = act.actor
  const things = Object.entries((act.named ?? {}) as Record<string, { id?: unknown } | null | undefined>)
  const [thing, found] = things.findLast(([, each]) => typeof each?.id === 'string') ?? []
  const { id, serverId } = (act.answer ?? {}) as { id?: unknown; serverId?: unknown }
  const made = [id, serverId].find((each) => typeof each === 'string')
  const input = (act.input ?? {}) as Record<string, unknown>
  const told = TOLD.filter((name) => input[name] !== undefined && input[name] !== null)
  await insertAuditEntry(db, {
    accountId,
    at: act.at,
    action,
    personId,
    credential: credential.kind,
    credentialId: credential.id,
    address: act.address ?? null,
    thing: thing ?? (typeof made === 'string' ? kindOf(made) : null),
    thingId: typeof found?.id === 'string' ? found.id : typeof made === 'string' ? made : null,
    details: told.length > 0 ? JSON.stringify(Object.fromEntries(told.map((name) => [name, input[name]]))) : null,
  })
}
