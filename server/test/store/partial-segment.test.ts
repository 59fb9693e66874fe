import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { BLOCK_BYTES } from '#store/engine/blobs/block-digests.ts'
import type { Part } from '#store/engine/blobs/object-store.ts'
import { openStore } from '#store/engine/open.ts'
import { moveBlobs } from '#store/pages/move-blobs.ts'
import { openStoredSegment } from '#store/pages/partial-segment.ts'
import { deleteOtherSegments, readSegment, writeSegment } from '#store/pages/segments.ts'
import { makePlace, onSqliteAtLeast } from '../support/database/engines.ts'
import { insertSource } from '../support/database/insert-source.ts'

/** Just large enough to be divided: 1 MB first, 1 MB later, the rest by ranges, in one object. */
const SIZE = 8_000_001
const STARTS = [1_000_000, 2_000_000]
const data = Uint8Array.from({ length: SIZE }, (_, at) => (at * 7 + (at >> 8) * 13) & 255)

const ZERO = Buffer.alloc(BLOCK_BYTES)

onSqliteAtLeast('segments of which ranges are read', (engine) => {
  async function makeSegment(starts: readonly number[] = STARTS, bytes = data) {
    const stack = new AsyncDisposableStack()
    const place = stack.use(await makePlace(engine))
    const folder = join(place.dataDir, 'blobs')
    const blobs = { place: 'folder' as const, folder, s3: null, cacheMb: 0 }
    const store = stack.use(await openStore({ database: place.database, onError: () => {}, blobs }))
    await insertSource(store, { url: 'https://a.example.test/', type: 'docs' })
    await writeSegment(store, { id: 'seg_1', sourceId: 'src_1', data: bytes, format: 1, starts })
    const reads: (readonly [from: number, bytes: number])[] = []
    const read = (object: string, into: Uint8Array, part?: Part) => {
      reads.push([part?.from ?? -1, into.byteLength])
      return store.blobs.read(object, into, part)
    }
    const deps = { read: store.read, blobs: { ...store.blobs, read } }
    const pathOf = async (part: number) => {
      const row = await store.read.selectFrom('segmentParts').select('object').where('part', '=', part).execute()
      return join(folder, (row[0]?.object ?? '').replace('folder:', ''))
    }
    const open = async () => {
      const opened = await openStoredSegment(deps, 'seg_1')
      if (!opened?.rest) throw new Error('The segment is whole.')
      return { bytes: Buffer.from(opened.bytes.buffer), rest: opened.rest }
    }
    return { store, deps, reads, open, pathOf, [Symbol.asyncDispose]: () => stack.disposeAsync() }
  }

  test('reads the first part, the later one, and the blocks of a range, each once', async () => {
    await using at = await makeSegment()
    const { bytes, rest } = await at.open()
    expect(bytes.subarray(0, 1_000_000).equals(data.subarray(0, 1_000_000))).toBe(true)
    const range = [2_000_000 + 5 * BLOCK_BYTES - 1, 2_000_000 + 5 * BLOCK_BYTES + 1] as const
    expect(await Promise.all([rest.read([range]), rest.read([range])])).toEqual([true, true])
    expect(bytes.subarray(1_000_000, 2_000_000).equals(data.subarray(1_000_000, 2_000_000))).toBe(true)
    const [from, to] = [2_000_000 + 4 * BLOCK_BYTES, 2_000_000 + 6 * BLOCK_BYTES]
    expect(bytes.subarray(from, to).equals(data.subarray(from, to))).toBe(true)
    expect([bytes.subarray(from - BLOCK_BYTES, from), bytes.subarray(to, to + BLOCK_BYTES)]).toEqual([ZERO, ZERO])
    // The block before them, and the last one, which is shorter.
    expect(
      await rest.read([
        [from - 1, to],
        [SIZE - 1, SIZE],
      ]),
    ).toBe(true)
    const last = Math.floor((SIZE - 1 - 2_000_000) / BLOCK_BYTES) * BLOCK_BYTES
    expect(at.reads).toEqual([
      [-1, 1_000_000],
      [-1, 1_000_000],
      [4 * BLOCK_BYTES, 2 * BLOCK_BYTES],
      [3 * BLOCK_BYTES, BLOCK_BYTES],
      [last, SIZE - 2_000_000 - last],
    ])
    expect(rest.isWhole).toBe(false)
    expect([await rest.read(null), rest.isWhole, bytes.equals(data)]).toEqual([true, true, true])
  })

  test('reads a damaged range three times, and then fails until it is whole again', async () => {
    await using at = await makeSegment()
    const { bytes, rest } = await at.open()
    const path = await at.pathOf(2)
    const whole = readFileSync(path)
    writeFileSync(path, Buffer.from(whole).fill(1, BLOCK_BYTES, BLOCK_BYTES + 1))
    const range = [2_000_000 + BLOCK_BYTES, 2_000_000 + BLOCK_BYTES + 1] as const
    await expect(rest.read([range])).rejects.toThrow('is damaged: a range of it has another SHA-256')
    expect(at.reads).toHaveLength(2 + 3)
    // Blocks beside it are not.
    expect(await rest.read([[2_000_000, 2_000_001]])).toBe(true)
    await expect(rest.read(null)).rejects.toThrow('is damaged: its content has another SHA-256')
    writeFileSync(path, whole)
    expect([await rest.read([range]), await rest.read(null), bytes.equals(data)]).toEqual([true, true, true])
  })

  test('reads objects again that were moved meanwhile, and no deleted ones', async () => {
    await using at = await makeSegment()
    const moved = await at.open()
    await moveBlobs(at.store, { to: 'database', signal: new AbortController().signal, onMoved: () => {} })
    expect([await moved.rest.read([[SIZE - 1, SIZE]]), moved.bytes.equals(data)]).toEqual([true, true])
    expect((await openStoredSegment(at.deps, 'seg_1'))?.rest).toBeNull()
    await moveBlobs(at.store, { to: 'folder', signal: new AbortController().signal, onMoved: () => {} })
    const gone = await at.open()
    while (await at.store.transaction((tx) => deleteOtherSegments(tx, 'src_1', [])));
    await at.store.blobs.delete(
      (await Array.fromAsync(at.store.blobs.list('folder'))).flat().map(({ object }) => object),
    )
    expect(await gone.rest.read([[SIZE - 1, SIZE]])).toBe(false)
    expect(await openStoredSegment(at.deps, 'seg_1')).toBeNull()
  })

  test.each([
    ['of 8 MB', STARTS, SIZE - 1, 1],
    ['without such parts', [], SIZE, 2],
  ])('reads a segment %s whole', async (_, starts, size, objects) => {
    await using at = await makeSegment(starts, data.subarray(0, size))
    const opened = await openStoredSegment(at.deps, 'seg_1')
    expect([opened?.rest, opened?.bytes.byteLength, at.reads.length]).toEqual([null, size, objects])
    expect(Buffer.from((await readSegment(at.store, 'seg_1')) ?? []).equals(data.subarray(0, size))).toBe(true)
  })
})
