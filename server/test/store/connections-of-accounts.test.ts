import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openStore } from '#store/engine/open.ts'
import { createSchema } from '#store/migrations/migrate.ts'
import { makePlace, onBothEngines } from '../support/database/engines.ts'

const ROWS = [
  `accounts (id, email, name, plan, is_operator, created_at) values ('acc', 'a@example.test', 'A', 'free', 0, 1)`,
  `servers (id, account_id, slug, name, visibility, tools, created_at, updated_at) values ('srv', 'acc', 's', 'S', 'private', '[]', 1, 1)`,
  `oauth_grants (id, account_id, server_id, client_id, client_name, redirect_uri, scope, created_at, person_id) values ('con', 'acc', 'srv', 'cli', 'C', 'u', 'read', 1, 'per')`,
  `oauth_tokens (hash, grant_id, kind, salt, expires_at) values ('h', 'con', 'refresh', 'salt', 9)`,
  `api_keys (id, account_id, name, hash, last4, created_at) values ('key', 'acc', 'K', 'h', 'last', 1)`,
  `approvals (id, account_id, key_id, hash, operation, arguments, created_at) values ('apr', 'acc', 'key', 'h', 'servers.delete', '{}', 1)`,
]

onBothEngines('database from before connections to accounts', (engine) => {
  test('keeps connections, tokens and approvals, which still end with what they belong to', async () => {
    await using place = await makePlace(engine, { isEmpty: true })
    const open = (migrates: boolean) => openStore({ database: place.database, onError: () => {}, migrates })
    {
      await using old = await open(false)
      await old.transaction(async (tx) => {
        await createSchema(tx, engine, 48)
        for (const row of ROWS) await sql.raw(`insert into ${row}`).execute(tx)
      })
    }
    await using store = await open(true)
    const rows = async (table: 'oauthGrants' | 'oauthTokens' | 'approvals') =>
      store.write.selectFrom(table).selectAll().execute()
    expect(await rows('oauthGrants')).toMatchObject([{ id: 'con', serverId: 'srv', scope: 'read', personId: 'per' }])
    expect(await rows('oauthTokens')).toMatchObject([{ grantId: 'con', salt: 'salt', expiresAt: 9 }])
    expect(await rows('approvals')).toMatchObject([{ id: 'apr', keyId: 'key', operation: 'servers.delete' }])
    await store.write.updateTable('oauthGrants').set({ serverId: null }).execute()
    await store.write.updateTable('oauthGrants').set({ serverId: 'srv' }).execute()
    await store.write.deleteFrom('servers').execute()
    expect([await rows('oauthGrants'), await rows('oauthTokens')]).toEqual([[], []])
    await store.write.deleteFrom('accounts').execute()
    expect(await rows('approvals')).toEqual([])
  })
})
