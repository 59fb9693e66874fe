import { expect, test } from 'vitest'
import { sharePace } from '#crawl/pace-requests.ts'
import { deleteOldHostShares } from '#store/pages/host-shares.ts'
import { makeStore, onBothEngines } from '../support/database/engines.ts'

onBothEngines('nodes that ask one host', (engine) => {
  test('counts the nodes of a host and shares its Retry-After', async () => {
    await using store = await makeStore(engine)
    const [one, two] = [sharePace(store), sharePace(store)]
    expect(await one.join('a.example', 0)).toEqual({ nodes: 1, notBefore: 0 })
    expect(await two.join('b.example', 0)).toEqual({ nodes: 1, notBefore: 0 })
    const until = Date.now() + 60_000
    expect(await two.join('a.example', until)).toMatchObject({ nodes: 2 })
    const { nodes, notBefore } = await one.join('a.example', 0)
    expect(nodes).toBe(2)
    expect(Math.abs(notBefore - until)).toBeLessThan(5_000)
  })

  test('forgets a node that no longer reports', async () => {
    await using store = await makeStore(engine)
    await sharePace(store).join('a.example', 0)
    await store.write.updateTable('hostShares').set({ until: 1 }).execute()
    expect(await sharePace(store).join('a.example', 0)).toMatchObject({ nodes: 1 })
    await deleteOldHostShares(store.write, 2)
    expect(await store.read.selectFrom('hostShares').select('until').execute()).toHaveLength(1)
  })

  test('gives no two nodes the same start time, however many ask at once', async () => {
    await using store = await makeStore(engine)
    const nodes = [sharePace(store), sharePace(store), sharePace(store)]
    await nodes[0]?.reserve('other.example', 30_000)
    const starts = await Promise.all(nodes.flatMap((node) => [1, 2, 3].map(() => node.reserve('a.example', 30_000))))
    starts.sort((a, b) => a - b)
    for (const [at, start] of starts.slice(1).entries()) expect(start - (starts[at] ?? 0)).toBeGreaterThan(29_000)
    expect(Math.abs((starts[0] ?? 0) - Date.now())).toBeLessThan(20_000)
  })

  test('stores nothing that names the host', async () => {
    await using store = await makeStore(engine)
    await sharePace(store).join('secret.example', 0)
    await sharePace(store).reserve('secret.example', 1)
    const rows = [
      await store.read.selectFrom('hostShares').selectAll().execute(),
      await store.read.selectFrom('hostSlots').selectAll().execute(),
    ]
    expect(JSON.stringify(rows)).not.toContain('secret')
  })
})
