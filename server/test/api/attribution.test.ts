import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { createAccount } from '#auth/accounts.ts'
import { mintAttributionToken, redeemAttributionToken, ensureDeveloper } from '#auth/developers.ts'
import { openVault, newKeyText } from '#auth/secret-keys.ts'
import { deleteExpiredTokens } from '#store/accounts/developers.ts'
import { openStore } from '#store/engine/open.ts'
import { type Engine, type Place, makePlace, onBothEngines } from '../support/database/engines.ts'

/** Tokens, and concurrent uses of each in either process. */
const [TOKENS, USES] = [inject('isLong') ? 1_000 : 40, 25]

async function openDeveloper(place: Place, key: string) {
  const store = await openStore({ database: place.database, onError: () => {} })
  const { id } = await createAccount(store, { email: 'a@example.test', password: null, plan: 'free' })
  const { vault } = await openVault(store, { secretKeys: [key], keyFile: null })
  const developer = await ensureDeveloper({ store, vault }, id)
  const mint = async (lifetimeMs = 900_000) => {
    const minted = await mintAttributionToken(
      { store, vault },
      { developerId: developer.id, endUserId: 'u' },
      lifetimeMs,
    )
    return minted?.token ?? ''
  }
  return { store, vault, developer, mint }
}

onBothEngines('attribution token', (engine: Engine) => {
  test('accepts an attribution token once, until it expires, for its developer only', async () => {
    await using place = await makePlace(engine)
    const { store, vault, developer, mint } = await openDeveloper(place, newKeyText())
    await using _ = store
    const redeem = (token: string, of = developer.id) =>
      redeemAttributionToken({ store, vault }, { developerId: of, token })
    const token = await mint()
    expect(token).toMatch(/^dav1_[0-9A-Za-z]{22}\.[\w-]{43}$/)
    expect(await redeem(token, 'dev_other')).toBeNull()
    const changed = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`
    for (const wrong of ['', 'dav1_', token.toUpperCase(), changed, `${token} `]) expect(await redeem(wrong)).toBeNull()
    expect(await redeem(token)).toEqual({ id: token.slice(5, 27), endUserId: 'u' })
    expect(await redeem(token)).toBeNull()
    const expired = await mint(0)
    expect(await redeem(expired)).toBeNull()
    await deleteExpiredTokens(store.write, Date.now() + 1_000_000)
    expect(await store.read.selectFrom('attributionTokens').select('id').execute()).toEqual([])
  })

  test('signs no attribution token without the key, and accepts none that another key has signed', async () => {
    await using place = await makePlace(engine)
    const key = newKeyText()
    const { store, developer, mint } = await openDeveloper(place, key)
    await using _ = store
    const token = await mint()
    const { vault: other } = await openVault(store, { secretKeys: [newKeyText()], keyFile: null })
    const owner = { developerId: developer.id, endUserId: null }
    expect(await mintAttributionToken({ store, vault: other }, owner, 1_000)).toBeNull()
    expect(await redeemAttributionToken({ store, vault: other }, { developerId: developer.id, token })).toBeNull()
    const { vault: rotated } = await openVault(store, { secretKeys: [newKeyText(), key], keyFile: null })
    expect(await redeemAttributionToken({ store, vault: rotated }, { developerId: developer.id, token })).not.toBeNull()
  })

  test('accepts exactly one of several concurrent uses in two processes', async () => {
    await using place = await makePlace(engine)
    const key = newKeyText()
    const { store, developer, mint } = await openDeveloper(place, key)
    const tokens: string[] = []
    for (let n = 0; n < TOKENS; n++) tokens.push(await mint())
    await store[Symbol.asyncDispose]()
    const program = join(import.meta.dirname, '../support/processes/redeem-tokens.ts')
    const settings = JSON.stringify({ database: place.database, key, developerId: developer.id, tries: USES })
    const children = [fork(program, [settings]), fork(program, [settings])]
    await Promise.all(children.map((child) => once(child, 'message')))
    const successes: number[][] = []
    for (const token of tokens) {
      const answers = children.map((child) => once(child, 'message'))
      for (const child of children) child.send(token)
      successes.push((await Promise.all(answers)).map(([count]) => count as number))
    }
    const ended = children.map((child) => once(child, 'exit'))
    for (const child of children) child.disconnect()
    await Promise.all(ended)
    expect(successes.map(([one = 0, other = 0]) => one + other)).toEqual(tokens.map(() => 1))
  })
})
