import { APPROVAL_MINUTES } from '@docent/contract/operations/approvals'
import type { NotNull, Selectable } from 'kysely'
import type { Db } from '#store/db.ts'
import { above, deleteRows, findRow, hasRow, insertNewRow, updateRows } from '#store/rows.ts'
import type { Schema } from '#store/schema.ts'

export type ApprovalRow = Selectable<Schema['approvals']>

/** Requests made after one time can be approved. Those approved after another can be made. */
type OpenSince = { createdAfter: number; approvedAfter: number }

export const openApprovals = (now: number): OpenSince => ({
  createdAfter: now - APPROVAL_MINUTES.request * 60_000,
  approvedAfter: now - APPROVAL_MINUTES.approved * 60_000,
})

type Approved = { keyId: string; hash: string; approvedAfter: number }
const approved = ({ approvedAfter, ...request }: Approved) => ({ ...request, approvedAt: above(approvedAfter) })

export const isApproved = (db: Db, request: Approved) => hasRow(db, 'approvals', approved(request))

/** Uses the approval of a request up. Of several callers, exactly one gets true. */
export const takeApproval = async (db: Db, request: Approved) =>
  (await deleteRows(db, 'approvals', approved(request))) > 0

/** Keeps a request for approval. Returns its id, or that of the same request. Only the newest `most` of a key stay. */
export async function keepRequest(tx: Db, row: ApprovalRow, most: number): Promise<string> {
  const { keyId, hash } = row
  await insertNewRow(tx, 'approvals', row)
  const waiting = tx.selectFrom('approvals').select('id').where('keyId', '=', keyId).where('approvedAt', 'is', null)
  const newest = waiting.orderBy('createdAt', 'desc').orderBy('id').limit(most)
  await tx
    .deleteFrom('approvals')
    .where('keyId', '=', keyId)
    .where('approvedAt', 'is', null)
    .where('id', 'not in', newest)
    .where('hash', '!=', hash)
    .execute()
  return (await findRow(tx, 'approvals', { keyId, hash }))?.id ?? row.id
}

/** The open requests of an account with the names of their keys or connections, the newest first; by id, one of them. */
export const listApprovals = (db: Db, accountId: string, since: OpenSince, id?: string) =>
  db
    .selectFrom('approvals')
    .leftJoin('apiKeys', (join) => join.onRef('apiKeys.id', '=', 'keyId').on('apiKeys.revokedAt', 'is', null))
    .leftJoin('oauthGrants', (join) =>
      join.onRef('oauthGrants.id', '=', 'keyId').on('oauthGrants.revokedAt', 'is', null),
    )
    .selectAll('approvals')
    .select((of) => of.fn.coalesce('apiKeys.name', 'clientName').as('keyName'))
    .where('approvals.accountId', '=', accountId)
    .where((is) => is.or([is('apiKeys.id', 'is not', null), is('oauthGrants.id', 'is not', null)]))
    .$narrowType<{ keyName: NotNull }>()
    .where((is) =>
      is.or([
        is('approvedAt', '>', since.approvedAfter),
        is.and([is('approvedAt', 'is', null), is('approvals.createdAt', '>', since.createdAfter)]),
      ]),
    )
    .$if(id !== undefined, (query) => query.where('approvals.id', '=', id ?? ''))
    .orderBy('approvals.createdAt', 'desc')
    .orderBy('approvals.id')
    .execute()

export type OpenApproval = Awaited<ReturnType<typeof listApprovals>>[number]

/** False if another member approved or refused it first. */
export const markApproved = (db: Db, id: string, approvedAt: number) =>
  updateRows(db, 'approvals', { id, approvedAt: null }, { approvedAt })

export const deleteApproval = (db: Db, id: string) => deleteRows(db, 'approvals', { id })

/** Deletes the requests that nobody can approve or make any more; of one key, or of all. */
export async function deleteOldApprovals(db: Db, { createdAfter, approvedAfter }: OpenSince, keyId?: string) {
  await db
    .deleteFrom('approvals')
    .where((is) =>
      is.or([
        is('approvedAt', '<=', approvedAfter),
        is.and([is('approvedAt', 'is', null), is('createdAt', '<=', createdAfter)]),
      ]),
    )
    .$if(keyId !== undefined, (query) => query.where('keyId', '=', keyId ?? ''))
    .execute()
}

export const setAsksApproval = (db: Db, id: string, asksApproval: boolean) =>
  updateRows(db, 'accounts', { id }, { asksApproval: asksApproval ? 1 : 0 })
