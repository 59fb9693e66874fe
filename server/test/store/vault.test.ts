import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newKeyText, readKeyFile, toSecretKey, writeKeyFile, openVault, rotateSecrets } from '#auth/secret-keys.ts'
import { createAccount } from '#auth/accounts.ts'
import { createVault } from '#auth/vault.ts'
import { insertLinkedAccount } from '#store/accounts/linked-accounts.ts'
import { type Engine, makeStore, onBothEngines } from '../support/database/engines.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'docent-vault-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const owner = (id: string) => ({ table: 'linkedAccounts' as const, id })

/** A store whose account has linked accounts. */
async function storeWith(engine: Engine, secrets: string[], keyText: string) {
  const store = await makeStore(engine)
  const { id: accountId } = await createAccount(store, { email: 'a@example.test', password: null, plan: 'free' })
  const { vault } = await openVault(store, { secretKeys: [keyText], keyFile: null })
  for (const [n, secret] of secrets.entries()) {
    const id = `lnk_${n}`
    const sealed = await vault.seal(store.write, secret, owner(id))
    await insertLinkedAccount(store.write, {
      id,
      accountId,
      host: `${n}.example.test`,
      login: 'x',
      sealed,
      linkedAt: 0,
    })
  }
  return store
}

onBothEngines('vault', (engine) => {
  test('creates a key file that only its owner can read, at the first start only', async () => {
    await using store = await makeStore(engine)
    const keyFile = join(folder, `${engine}.key`)
    const first = await openVault(store, { secretKeys: [], keyFile })
    expect(first.problem).toBeNull()
    expect(statSync(keyFile).mode & 0o777).toBe(0o600)
    const sealed = await first.vault.seal(store.write, 'secret', owner('1'))
    const second = await openVault(store, { secretKeys: [], keyFile })
    expect([second.problem, second.vault.unseal(sealed, owner('1'))]).toEqual([null, 'secret'])

    rmSync(keyFile)
    const third = await openVault(store, { secretKeys: [], keyFile })
    expect(third.problem).toContain(`The key for credentials is missing: ${keyFile}.`)
    expect(readKeyFile(keyFile)).toBeNull()
    await expect(third.vault.seal(store.write, 'secret', owner('1'))).rejects.toMatchObject({
      code: 'credentials_unavailable',
      status: 503,
    })
    expect(() => third.vault.unseal(sealed, owner('1'))).toThrow('encryption key')
  })

  test('reports a missing or wrong key, and then neither encrypts nor decrypts', async () => {
    const [right, wrong] = [newKeyText(), newKeyText()]
    await using store = await storeWith(engine, ['secret'], right)
    const { sealed } = await store.read.selectFrom('linkedAccounts').selectAll().executeTakeFirstOrThrow()
    for (const [secretKeys, words] of [
      [[], 'Set DOCENT_SECRET_KEY, the same on every node'],
      [[wrong], 'not the one they were stored with'],
    ] as const) {
      const { vault, problem } = await openVault(store, { secretKeys, keyFile: null })
      expect(problem).toContain(words)
      expect(await vault.isAvailable(store.read)).toBe(false)
      expect(() => vault.unseal(sealed, owner('lnk_0'))).toThrow('encryption key')
      await expect(vault.seal(store.write, 'x', owner('x'))).rejects.toMatchObject({ status: 503 })
    }
    const { vault, problem } = await openVault(store, { secretKeys: [wrong, right], keyFile: null })
    expect([problem, vault.unseal(sealed, owner('lnk_0'))]).toEqual([null, 'secret'])
    expect(() => vault.unseal(sealed, owner('lnk_1'))).toThrow('encryption key')
  })

  test('decrypts with an old key and encrypts with the current one, before and after a rotation', async () => {
    const [old, next] = [newKeyText(), newKeyText()]
    await using store = await storeWith(engine, ['one', 'two', 'three'], old)
    // Nodes get both keys first. Until the rotation all of them use the old one, which every node can read.
    const both = createVault([next, old].map(toSecretKey))
    const early = await both.seal(store.write, 'early', owner('early'))
    expect(createVault([toSecretKey(old)]).unseal(early, owner('early'))).toBe('early')

    const refresh = { table: 'linkedAccountRefreshes' as const, id: 'lnk_1' }
    const sealedRefresh = await both.seal(store.write, 'the next one', refresh)
    await store.write.updateTable('linkedAccounts').set({ sealedRefresh }).where('id', '=', 'lnk_1').execute()
    expect(() => both.unseal(sealedRefresh, owner('lnk_1'))).toThrow('encryption key')

    expect(await rotateSecrets(store, [next, old].map(toSecretKey))).toBe(4)
    const only = createVault([toSecretKey(next)])
    const rows = await store.read.selectFrom('linkedAccounts').select(['id', 'sealed']).orderBy('id').execute()
    expect(rows.map(({ id, sealed }) => only.unseal(sealed, owner(id)))).toEqual(['one', 'two', 'three'])
    const query = store.read.selectFrom('linkedAccounts').select(['id', 'sealedRefresh']).orderBy('id')
    const refreshes = (await query.execute()).map((row) => row.sealedRefresh && only.unseal(row.sealedRefresh, refresh))
    expect(refreshes).toEqual([null, 'the next one', null])
    expect(only.unseal(await both.seal(store.write, 'late', owner('late')), owner('late'))).toBe('late')
    await expect(rotateSecrets(store, [next, old].map(toSecretKey))).rejects.toThrow('in use already')
  })

  test('changes nothing when a rotation cannot decrypt everything', async () => {
    const [old, next] = [newKeyText(), newKeyText()]
    await using store = await storeWith(engine, ['one', 'two'], old)
    await expect(rotateSecrets(store, [next].map(toSecretKey))).rejects.toThrow('Bring that key back')
    await expect(rotateSecrets(store, [])).rejects.toThrow('no key to encrypt with')
    const { vault, problem } = await openVault(store, { secretKeys: [old], keyFile: null })
    const rows = await store.read.selectFrom('linkedAccounts').select(['id', 'sealed']).orderBy('id').execute()
    expect([problem, ...rows.map(({ id, sealed }) => vault.unseal(sealed, owner(id)))]).toEqual([null, 'one', 'two'])
  })
})

test('replaces a key file atomically', () => {
  const path = join(folder, 'two.key')
  writeKeyFile(path, ['a', 'b'])
  writeKeyFile(path, ['c'])
  expect(readKeyFile(path)).toEqual(['c'])
  expect(statSync(path).mode & 0o777).toBe(0o600)
})
