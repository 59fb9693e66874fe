import { expect, test } from 'vitest'
import { createAccount } from '#auth/accounts.ts'
import { deleteOtherSegments, readSegment, servedSegments, writeSegment } from '#store/pages/segments.ts'
import { insertServer } from '#store/servers/servers.ts'
import { insertSourceRow, newSourceRow } from '#store/sources/sources.ts'
import { makeStore, onBothEngines } from '../support/database/engines.ts'
import { insertSource } from '../support/database/insert-source.ts'

onBothEngines('segments that no version names', (engine) => {
  test('deletes unnamed segments a few parts at a time and keeps named ones', async () => {
    await using store = await makeStore(engine)
    const source = await insertSource(store, { url: 'https://src_1.example.test/', type: 'docs' })
    await insertSourceRow(store.write, { ...source, id: 'src_2', url: 'https://src_2.example.test/' })
    // Three parts per segment.
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
    expect(await readSegment(store, 'seg_new')).toEqual(data)
    // A version without segments names none.
    while (await store.transaction((tx) => deleteOtherSegments(tx, 'src_1', [])));
    expect(await readSegment(store, 'seg_new')).toBeNull()
    expect(await parts()).toBe(3)
  })

  test('does not serve unnamed segments, nor those of deleted servers', async () => {
    await using store = await makeStore(engine)
    const { id: accountId } = await createAccount(store, { email: 'a@example.test', password: null, plan: 'free' })
    const times = { createdAt: 1, updatedAt: 1, purgeAt: null }
    const server = { accountId, name: 'A', description: null, visibility: 'public' as const, tools: '[]', ...times }
    for (const [n, deletedAt] of [null, 1].entries()) {
      await insertServer(store.write, { ...server, id: `srv_${n}`, slug: `a${n}`, deletedAt })
      const address = { id: `src_${n}`, url: 'https://a.example.test/', type: 'docs' as const, label: null }
      const row = newSourceRow({ ...address, serverId: `srv_${n}`, createdAt: 1 })
      await insertSourceRow(store.write, { ...row, segments: JSON.stringify([`seg_new_${n}`]) })
      for (const id of [`seg_old_${n}`, `seg_new_${n}`])
        await writeSegment(store, { id, sourceId: `src_${n}`, data: new Uint8Array(8), format: 1 })
    }
    const ids = ['seg_new_0', 'seg_old_0', 'seg_new_1', 'seg_old_1', 'seg_gone']
    // More ids than one statement takes.
    const many = Array.from({ length: 1_000 }, (_, n) => `seg_none_${n}`)
    expect(await servedSegments(store.read, [...many, ...ids])).toEqual(new Set(['seg_new_0']))
    expect(await servedSegments(store.read, [])).toEqual(new Set())
  })
})
