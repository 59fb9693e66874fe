import { BLOCK_BYTES, DIGEST_BYTES, blocksIn, digestsOf } from '#store/engine/blobs/block-digests.ts'
import type { Bytes } from '#store/engine/blobs/blobs.ts'
import { StoreError } from '#store/engine/outages.ts'
import { readSegment } from './segments.ts'

/** Reads of blocks with another digest, before they count as damaged. */
const READS = 3

type Ranges = readonly (readonly [start: number, end: number])[]

/** An object with a part of a segment, which begins at `from` of it. Ranges are read of one with digests. */
type ObjectPart = { object: string; from: number; bytes: number; digests: Buffer | null }

/**
 * Opens a segment: all of its bytes, or, if it is large and in objects, those of the first part, and how to read the
 * rest. `read` waits for some ranges of the bytes and for all parts without digests, or for all bytes, and verifies
 * them. It resolves to false if the segment is gone. Null if it is gone already. Threads can share the bytes.
 */
export async function openStoredSegment(deps: Bytes, id: string) {
  const parts = await listObjects(deps, id)
  const bytes = parts && new Uint8Array(new SharedArrayBuffer(parts.reduce((sum, part) => sum + part.bytes, 0)))
  const [first, ...others] = parts ?? []
  const viewOf = ({ from, bytes: length }: ObjectPart) => bytes?.subarray(from, from + length) ?? new Uint8Array(0)
  const readPart = (part: ObjectPart) => deps.blobs.read(part.object, viewOf(part))
  if (!bytes || !first) return openWhole(deps, id)
  const later = Promise.all(others.filter(({ digests }) => digests === null).map(readPart))
  // Who needs them gets the error.
  later.catch(() => undefined)
  if (!(await readPart(first))) return openWhole(deps, id)
  return { bytes, rest: readRest(deps, { id, bytes, later, parts: others.filter(({ digests }) => digests !== null) }) }
}

async function openWhole(deps: Bytes, id: string) {
  const bytes = await readSegment(deps, id)
  return bytes && { bytes, rest: null }
}

/** The parts of a segment. Null if one is in the database, or ranges are read of none. */
async function listObjects({ read, blobs }: Bytes, id: string): Promise<ObjectPart[] | null> {
  if (blobs.place === 'database') return null
  const query = read.selectFrom('segmentParts').select(['object', 'objectBytes', 'digests'])
  const rows = await query.where('segmentId', '=', id).orderBy('part').execute()
  let from = 0
  const parts: ObjectPart[] = []
  for (const { object, objectBytes, digests } of rows) {
    if (object === null) return null
    parts.push({ object, from, bytes: objectBytes, digests: digests && Buffer.from(digests) })
    from += objectBytes
  }
  return parts.some(({ digests }) => digests) ? parts : null
}

type Reading = { id: string; bytes: Uint8Array; later: Promise<boolean[]>; parts: ObjectPart[] }

function readRest(deps: Bytes, { id, bytes, later, parts }: Reading) {
  const known = parts.map(() => new Map<number, Promise<boolean>>())
  let all: Promise<boolean> | null = null
  const readRanges = (ranges: Ranges) =>
    parts.flatMap((part, at) => {
      const blocks = known[at] ?? new Map<number, Promise<boolean>>()
      const wanted = blocksOf(part, ranges)
      for (const [first, end] of runsOf(wanted.filter((block) => !blocks.has(block)))) {
        const reading = readBlocks(deps, bytes, part, [first, end])
        for (let block = first; block < end; block++) blocks.set(block, reading)
        reading.catch(() => blocks.clear())
      }
      return wanted.flatMap((block) => blocks.get(block) ?? [])
    })
  /** Reads objects of which another node has just moved or deleted one. */
  const readAgain = async () => {
    const again = await readSegment(deps, id)
    if (again) bytes.set(again)
    rest.isWhole = again !== null
    return rest.isWhole
  }
  const readAll = async () => {
    const arrived = await later
    for (const { object, from, bytes: length } of parts) {
      // Other threads read the blocks that are there, so damaged bytes must not arrive in their place.
      const whole = new Uint8Array(length)
      arrived.push(await deps.blobs.read(object, whole))
      bytes.set(whole, from)
    }
    if (!arrived.every(Boolean)) return readAgain()
    rest.isWhole = true
    return true
  }
  const rest = {
    isWhole: false,
    async read(ranges: Ranges | null): Promise<boolean> {
      if (ranges !== null) {
        const [arrived, found] = await Promise.all([later, Promise.all(readRanges(ranges))])
        if ([...arrived, ...found].every(Boolean)) return true
      }
      return (all ??= readAll().finally(() => (all = null)))
    },
  }
  return rest
}

/** Numbers of the blocks of a part in which the ranges are, ascending. */
function blocksOf({ from, bytes }: ObjectPart, ranges: Ranges): number[] {
  const blocks = new Set<number>()
  for (const [start, end] of ranges) {
    const last = blocksIn(Math.min(bytes, end - from))
    for (let block = Math.max(0, Math.floor((start - from) / BLOCK_BYTES)); block < last; block++) blocks.add(block)
  }
  return [...blocks].toSorted((a, b) => a - b)
}

/** Joins ascending numbers that follow each other. */
function runsOf(numbers: readonly number[]): [first: number, end: number][] {
  const runs: [number, number][] = []
  for (const number of numbers) {
    const last = runs.at(-1)
    if (last?.[1] === number) last[1]++
    else runs.push([number, number + 1])
  }
  return runs
}

/** Reads blocks of a part. False if the object is gone. Throws `StoreError` if they are damaged. */
async function readBlocks(
  { blobs }: Bytes,
  bytes: Uint8Array,
  { object, from, bytes: of, digests }: ObjectPart,
  [first, end]: readonly [number, number],
): Promise<boolean> {
  const start = first * BLOCK_BYTES
  const part = bytes.subarray(from + start, from + Math.min(of, end * BLOCK_BYTES))
  const expected = digests?.subarray(first * DIGEST_BYTES, end * DIGEST_BYTES)
  for (let reads = 0; reads < READS; reads++) {
    if (!(await blobs.read(object, part, { from: start, of, isAhead: true }))) return false
    if (expected?.equals(digestsOf(part))) return true
  }
  throw new StoreError(`The stored object ${object} is damaged: a range of it has another SHA-256.`)
}
