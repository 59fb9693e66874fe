import { expect, test } from 'vitest'
import { createAccount } from '#auth/accounts.ts'
import { deleteOtherSegments, readSegment, writeSegment } from '#store/segments.ts'
import { insertServer } from '#store/servers.ts'
import { insertSource, newSourceRow } from '#store/sources.ts'
import { makeStore, onBothEngines } from './engines.ts'

onBothEngines('segments that no version names', (engine) => {
  test('are deleted a few parts at a time, and those that one names are left', async () => {
    await using store = await makeStore(engine)
    const { id: accountId } = await createAccount(store, { email: 'a@example.test', password: null, plan: 'free' })
    const times = { createdAt: 1, updatedAt: 1, deletedAt: null, purgeAt: null }
    const server = { id: 'srv_1', accountId, slug: 'a', name: 'A', description: null, visibility: 'public' as const }
    await insertServer(store.write, { ...server, tools: '[]', ...times })
    const named = { serverId: 'srv_1', type: 'docs' as const, label: null }
    for (const id of ['src_1', 'src_2'])
      await insertSource(store.write, newSourceRow({ id, url: `https://${id}.example.test/`, ...named, createdAt: 1 }))
    // Three parts each.
    const data = new Uint8Array(4_500_000).fill(7)
    for (const id of ['seg_old', 'seg_older', 'seg_new'])
      await writeSegment(store, { id, sourceId: 'src_1', data, format: 1 })
    await writeSegment(store, { id: 'seg_other', sourceId: 'src_2', data, format: 1 })

    const deleteSome = () => store.transaction((tx) => deleteOtherSegments(tx, 'src_1', ['seg_new']))
    const parts = async () => (await store.read.selectFrom('segmentParts').select('segmentId').execute()).length
    const left: number[] = []
    while (await deleteSome()) left.push(await parts())
    expect(left).toEqual([10, 8, 6])
    expect(await deleteSome()).toBe(false)
    const ids = await store.read.selectFrom('segments').select('id').orderBy('id').execute()
    expect(ids.map(({ id }) => id)).toEqual(['seg_new', 'seg_other'])
    expect(await readSegment(store.read, 'seg_new')).toEqual(data)
    // A version without segments names none.
    while (await store.transaction((tx) => deleteOtherSegments(tx, 'src_1', [])));
    expect(await readSegment(store.read, 'seg_new')).toBeNull()
    expect(await parts()).toBe(3)
  })
})
