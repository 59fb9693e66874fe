import { createHash } from 'node:crypto'
import { inflateSync } from 'node:zlib'

/** Object types in a repository. Deltas exist only inside packs. */
type ObjectType = 'commit' | 'tree' | 'blob' | 'tag'

type PackLimits = {
  objects: number
  /** Maximum size of one decompressed object, and of all together, in bytes. */
  objectBytes: number
  totalBytes: number
}

type Entry = {
  type: ObjectType | 'delta'
  at: number
  size: number
  /** Offset or id of a delta's base, else null. */
  base: number | string | null
}

const TYPES: Record<number, ObjectType> = { 1: 'commit', 2: 'tree', 3: 'blob', 4: 'tag' }
const OFFSET_DELTA = 6
const ID_DELTA = 7
const ID_BYTES = 20
/** Maximum length of a delta chain. Git creates chains of at most 4,095, and by default of at most 50. */
const MAX_CHAIN = 4_096
/** Size of the cache for decompressed objects, in bytes. The next delta often has the same base. */
const CACHE_BYTES = 32 << 20

type PackObject = { type: ObjectType; bytes: Buffer }

/** An unreadable pack. The message is the end of a sentence, such as "it is damaged". */
export class PackError extends Error {
  override name = 'PackError'
}

/** The objects of a pack by id (https://git-scm.com/docs/pack-format). */
export class PackObjects {
  readonly #pack: Buffer
  readonly #limits: PackLimits
  readonly #entries = new Map<number, Entry>()
  readonly #byId = new Map<string, number>()
  readonly #cache = createCache()

  /** Decompresses each object once, for its id, and again when it is read: a repository is larger than the cache. */
  constructor(pack: Buffer, limits: PackLimits) {
    this.#pack = pack
    this.#limits = limits
    this.#readEntries()
    this.#computeIds()
  }

  /** Returns the content of the object with this id and type, or null if the pack does not contain it. */
  read(id: string, type: ObjectType): Buffer | null {
    const offset = this.#byId.get(id)
    const object = offset === undefined ? null : this.#whole(offset)
    return object?.type === type ? object.bytes : null
  }

  #readEntries(): void {
    const pack = this.#pack
    if (pack.length < 32 || pack.toString('latin1', 0, 4) !== 'PACK') throw new PackError('it is none')
    const version = pack.readUInt32BE(4)
    if (version !== 2 && version !== 3) throw new PackError(`it is of version ${version}`)
    const count = pack.readUInt32BE(8)
    if (count > this.#limits.objects) throw new PackError('it has too many objects')
    let at = 12
    for (let index = 0; index < count; index++) {
      const { entry, next } = readEntry(pack, at, this.#limits.objectBytes)
      this.#entries.set(at, entry)
      at = next
    }
  }

  #computeIds(): void {
    const { totalBytes } = this.#limits
    let total = 0
    // A base named by id may follow its deltas, so retry the remaining objects after each pass with progress.
    let open = [...this.#entries.keys()]
    for (let before = open.length + 1; open.length > 0 && open.length < before;) {
      before = open.length
      open = open.filter((offset) => {
        const object = this.#whole(offset)
        if (!object) return true
        total += object.bytes.length
        if (total > totalBytes) throw new PackError(`it holds more than ${Math.round(totalBytes / 1e6)} MB`)
        this.#byId.set(idOf(object), offset)
        return false
      })
    }
  }

  /** Returns the object at the offset, or null if one of its bases is unknown so far. */
  #whole(offset: number): PackObject | null {
    const deltas: { offset: number; entry: Entry }[] = []
    let found = this.#cache.get(offset)
    for (let at: number | undefined = offset; !found;) {
      const entry: Entry | undefined = at === undefined ? undefined : this.#entries.get(at)
      if (at === undefined || !entry) return null
      if (entry.type !== 'delta') {
        found = { type: entry.type, bytes: this.#inflate(entry) }
        this.#cache.set(at, found)
        break
      }
      deltas.push({ offset: at, entry })
      if (deltas.length > MAX_CHAIN) throw new PackError('its objects are made from each other in a circle')
      at = typeof entry.base === 'string' ? this.#byId.get(entry.base) : (entry.base ?? undefined)
      if (at !== undefined) found = this.#cache.get(at)
    }
    for (const { offset: at, entry } of deltas.toReversed()) {
      found = { type: found.type, bytes: applyDelta(found.bytes, this.#inflate(entry), this.#limits.objectBytes) }
      this.#cache.set(at, found)
    }
    return found
  }

  #inflate({ at, size }: Entry): Buffer {
    if (size > this.#limits.objectBytes) throw new PackError('a file in it is too large')
    return inflateAt(this.#pack, at, size).bytes
  }
}

function readEntry(pack: Buffer, start: number, objectBytes: number): { entry: Entry; next: number } {
  let at = start
  const byte = () => {
    const value = pack[at++]
    if (value === undefined) throw new PackError('it ends too early')
    return value
  }
  let head = byte()
  const code = (head >> 4) & 7
  let size = head & 15
  for (let factor = 16; head & 0x80; factor *= 128) {
    head = byte()
    size += (head & 0x7f) * factor
  }
  const type = TYPES[code] ?? (code === OFFSET_DELTA || code === ID_DELTA ? ('delta' as const) : null)
  if (type === null || size > objectBytes) throw new PackError(type ? 'a file in it is too large' : 'it is damaged')
  let base: Entry['base'] = null
  if (code === OFFSET_DELTA) {
    let part = byte()
    let back = part & 0x7f
    while (part & 0x80) {
      part = byte()
      back = (back + 1) * 128 + (part & 0x7f)
    }
    base = start - back
  } else if (code === ID_DELTA) {
    base = pack.toString('hex', at, at + ID_BYTES)
    at += ID_BYTES
  }
  return { entry: { type, at, size, base }, next: at + inflateAt(pack, at, size).taken }
}

/** Inflates the data at `at`, which must have exactly `size` bytes. `taken` is its compressed length. */
function inflateAt(pack: Buffer, at: number, size: number): { bytes: Buffer; taken: number } {
  try {
    // One extra byte separates too much data from the exact amount.
    const { buffer, engine } = inflateSync(pack.subarray(at), { info: true, maxOutputLength: size + 1 }) as unknown as {
      buffer: Buffer
      engine: { bytesWritten: number }
    }
    if (buffer.length === size) return { bytes: buffer, taken: engine.bytesWritten }
  } catch {
    // Throws the same error below.
  }
  throw new PackError('it is damaged')
}

function idOf({ type, bytes }: PackObject): string {
  return createHash('sha1').update(`${type} ${bytes.length}\0`).update(bytes).digest('hex')
}

/** Evicts the oldest entries first. */
function createCache() {
  const kept = new Map<number, PackObject>()
  let size = 0
  return {
    get: (offset: number) => kept.get(offset),
    set(offset: number, object: PackObject) {
      if (kept.has(offset) || object.bytes.length > CACHE_BYTES / 4) return
      kept.set(offset, object)
      size += object.bytes.length
      for (const [oldest, { bytes }] of kept) {
        if (size <= CACHE_BYTES) break
        kept.delete(oldest)
        size -= bytes.length
      }
    },
  }
}

/** https://git-scm.com/docs/pack-format#_deltified_representation. Throws `PackError` if it does not fit the base. */
function applyDelta(base: Buffer, delta: Buffer, maxBytes: number): Buffer {
  let at = 0
  const byte = () => {
    const value = delta[at++]
    if (value === undefined) throw new PackError('it is damaged')
    return value
  }
  const length = () => {
    let value = 0
    for (let factor = 1; ; factor *= 128) {
      const part = byte()
      value += (part & 0x7f) * factor
      if (!(part & 0x80)) return value
    }
  }
  /** Reads a little-endian number with one byte per set bit of the mask; bytes without a bit are 0. */
  const number = (mask: number) => {
    let value = 0
    for (let factor = 1; mask > 0; mask >>= 1, factor *= 256) if (mask & 1) value += byte() * factor
    return value
  }
  if (length() !== base.length) throw new PackError('it is damaged')
  const size = length()
  if (size > maxBytes) throw new PackError('a file in it is too large')
  const result = Buffer.alloc(size)
  let filled = 0
  while (at < delta.length) {
    const code = byte()
    const isCopy = (code & 0x80) !== 0
    const from = isCopy ? number(code & 0x0f) : at
    const count = isCopy ? number((code >> 4) & 7) || 0x10000 : code
    const source = isCopy ? base : delta
    if (count === 0 || from + count > source.length || filled + count > size) throw new PackError('it is damaged')
    source.copy(result, filled, from, from + count)
    filled += count
    if (!isCopy) at += count
  }
  if (filled !== size) throw new PackError('it is damaged')
  return result
}
