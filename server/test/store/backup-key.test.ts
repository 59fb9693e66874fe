import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openStore } from '#store/engine/open.ts'
import { backUp, runOn } from '../support/database/back-up.ts'
import { type Place, makePlace } from '../support/database/engines.ts'
import { startDocent } from '../support/service/harness.ts'

async function startAndStop(place: Place): Promise<{ key: string }> {
  await using docent = await startDocent({ place })
  return { key: docent.key }
}

describe('the key of credentials', () => {
  const addCredential = async ({ database }: Place) => {
    await using store = await openStore({ database, onError: () => {} })
    const { id } = await store.read.selectFrom('accounts').select('id').executeTakeFirstOrThrow()
    const row = { id: 'lnk_1', accountId: id, host: 'github.com', login: 'ada', sealed: 'sealed', linkedAt: 1 }
    await store.write.insertInto('linkedAccounts').values(row).execute()
  }

  test('backs the key up only with --include-key, and notes its absence', async () => {
    await using place = await makePlace('sqlite')
    await startAndStop(place)
    await addCredential(place)
    const key = readFileSync(join(place.dataDir, 'secret.key'), 'utf8')
    const [without, including] = [
      await backUp(place, '--to', join(place.dataDir, 'without.tar')),
      await backUp(place, '--include-key'),
    ]
    expect(readFileSync(without, 'latin1')).not.toContain(key.trim())
    await using one = await makePlace('sqlite', { isEmpty: true })
    expect((await runOn(['backup', 'restore', without], one)).stderr).toContain('The credentials need the key')
    expect(existsSync(join(one.dataDir, 'secret.key'))).toBe(false)
    await using two = await makePlace('sqlite', { isEmpty: true })
    expect((await runOn(['backup', 'restore', including], two)).stderr).not.toContain('note')
    expect(readFileSync(join(two.dataDir, 'secret.key'), 'utf8')).toBe(key)
    expect(statSync(join(two.dataDir, 'secret.key')).mode & 0o777).toBe(0o600)
  })

  test('creates a new key when no credential needs the old one', async () => {
    await using place = await makePlace('sqlite')
    const { key } = await startAndStop(place)
    const file = await backUp(place)
    await using target = await makePlace('sqlite', { isEmpty: true })
    expect((await runOn(['backup', 'restore', file], target)).stderr).not.toContain('note')
    await using docent = await startDocent({ place: target, key })
    expect(existsSync(join(docent.place.dataDir, 'secret.key'))).toBe(true)
  })
})
