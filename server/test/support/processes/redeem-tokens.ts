import { redeemAttributionToken } from '#auth/developers.ts'
import { toSecretKey } from '#auth/secret-keys.ts'
import { createVault } from '#auth/vault.ts'
import type { Config } from '#config.ts'
import { openStore } from '#store/engine/open.ts'

/** A separate process: uses each token that the parent sends `tries` times at once, and answers with the successes. */
type Settings = { database: Config['database']; key: string; developerId: string; tries: number }

const { database, key, developerId, tries } = JSON.parse(process.argv[2] ?? '') as Settings
const store = await openStore({ database, onError: () => {} })
const deps = { store, vault: createVault([toSecretKey(key)]) }

process.on('message', (token: string) => {
  const attempts = Array.from({ length: tries }, () => redeemAttributionToken(deps, { developerId, token }))
  void Promise.all(attempts).then((used) => process.send?.(used.filter(Boolean).length))
})
process.on('disconnect', () => void store[Symbol.asyncDispose]())
process.send?.('ready')
