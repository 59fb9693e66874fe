import type { Db } from '#store/db.ts'

/** All places of encrypted values, which a key rotation must cover. */
export type SealedTable =
  | 'credentials'
  | 'linkedAccounts'
  | 'linkedAccountRefreshes'
  | 'developers'
  | 'webhooks'
  | 'webhookPreviousSecrets'
export type SealedValue = { table: SealedTable; id: string; sealed: string }

/** All encrypted values. There are few: credentials of remote servers and code hosts, client secrets, and secrets of webhooks. */
export async function listSealedValues(tx: Db): Promise<SealedValue[]> {
  const credentials = await tx.selectFrom('credentials').select(['sourceId as id', 'sealed']).execute()
  const accounts = await tx.selectFrom('linkedAccounts').select(['id', 'sealed', 'sealedRefresh']).execute()
  const developers = await tx.selectFrom('developers').select(['id', 'sealedSecret as sealed']).execute()
  const webhooks = await tx.selectFrom('webhooks').select(['id', 'sealedSecret', 'sealedPreviousSecret']).execute()
  return [
    ...webhooks.map(({ id, sealedSecret: sealed }) => ({ table: 'webhooks' as const, id, sealed })),
    ...webhooks.flatMap(({ id, sealedPreviousSecret: sealed }) =>
      sealed === null ? [] : [{ table: 'webhookPreviousSecrets' as const, id, sealed }],
    ),
    ...developers.map(({ id, sealed }) => ({ table: 'developers' as const, id, sealed })),
    ...credentials.map(({ id, sealed }) => ({ table: 'credentials' as const, id, sealed })),
    ...accounts.map(({ id, sealed }) => ({ table: 'linkedAccounts' as const, id, sealed })),
    ...accounts.flatMap(({ id, sealedRefresh: sealed }) =>
      sealed === null ? [] : [{ table: 'linkedAccountRefreshes' as const, id, sealed }],
    ),
  ]
}

export async function updateSealedValue(tx: Db, { table, id, sealed }: SealedValue): Promise<void> {
  if (table === 'credentials') {
    await tx.updateTable('credentials').set({ sealed }).where('sourceId', '=', id).execute()
  } else if (table === 'developers' || table === 'webhooks') {
    await tx.updateTable(table).set({ sealedSecret: sealed }).where('id', '=', id).execute()
  } else if (table === 'webhookPreviousSecrets') {
    await tx.updateTable('webhooks').set({ sealedPreviousSecret: sealed }).where('id', '=', id).execute()
  } else {
    const values = table === 'linkedAccounts' ? { sealed } : { sealedRefresh: sealed }
    await tx.updateTable('linkedAccounts').set(values).where('id', '=', id).execute()
  }
}
