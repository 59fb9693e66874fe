import { mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { rememberRecent } from '#lib/objects.ts'
import { openObjectFolder } from './object-folder.ts'
import { type ObjectStore, isWhole } from './object-store.ts'

type Options = {
  folder: string
  /** Bytes on the disk. */
  capacity: number
  /** Of these keys, those to which a row refers. */
  used: (keys: readonly string[]) => Promise<readonly string[]>
  onError: (error: unknown) => void
  /** Bytes that wait for their copy. Objects beyond it get theirs when they are read again. */
  mostWaiting?: number
}

/** A few segments: the memory stays in use until its copy is written. */
const MOST_WAITING = 100_000_000

/** Time after which a copy is written: the call that reads the object has ended by then. */
const COPY_AFTER_MS = 250

/** Reads of parts of an object after which it is copied whole: a text has thousandths of its pack. */
const READS_BEFORE_COPY = 4
/** Objects whose reads are counted. */
const MOST_COUNTED = 10_000

/** Copies of objects that other nodes have deleted leave the disk within this time. */
const CLEAN_MS = 10 * 60_000
/** In place of `/` in the names of files: keys have no such character. */
const SLASH = '~'

/** Keeps copies of objects on the disk of this node, and deletes those that were not used for the longest time. */
export function cacheObjects(inner: ObjectStore, options: Options): ObjectStore {
  const { folder, capacity, used, onError, mostWaiting = MOST_WAITING } = options
  const copies = openObjectFolder(folder, { isCopy: true })
  /** Bytes by key, the least recently used first. */
  const kept = listCopies(folder)
  let bytes = [...kept.values()].reduce((sum, size) => sum + size, 0)
  const partReads = new Map<string, number>()
  let waiting = 0
  /** Copies are written one after another. */
  let written = Promise.resolve()

  const drop = async (keys: readonly string[]) => {
    for (const key of keys) bytes -= kept.get(key) ?? 0
    for (const key of keys) kept.delete(key)
    await copies.delete(keys.map(nameOf))
  }
  const makeRoom = async () => {
    const oldest: string[] = []
    let left = bytes
    for (const [key, size] of kept) {
      if (left <= capacity) break
      oldest.push(key)
      left -= size
    }
    await drop(oldest)
  }
  const keep = async (key: string, data: Uint8Array) => {
    if (kept.has(key)) return
    await copies.put(nameOf(key), data)
    kept.set(key, data.byteLength)
    bytes += data.byteLength
    await makeRoom()
  }
  /** Copies an object after the answer, which does not wait for the disk. A full disk costs the copy only. */
  const keepLater = (key: string, data: Uint8Array) => {
    const size = data.byteLength
    if (size > capacity || waiting + size > mostWaiting) return
    waiting += size
    const later = sleep(COPY_AFTER_MS)
    written = written
      .then(() => later)
      .then(() => keep(key, data))
      .catch(onError)
      .finally(() => (waiting -= size))
  }
  /** Copies an object of which parts are read again and again. */
  const copyOften = (key: string, size: number) => {
    const reads = (partReads.get(key) ?? 0) + 1
    rememberRecent(partReads, key, reads, MOST_COUNTED)
    if (reads !== READS_BEFORE_COPY || size > capacity) return
    const whole = new Uint8Array(size)
    inner.get(key, whole).then((isFound) => isFound && keepLater(key, whole), onError)
  }
  const clean = async () => {
    const keys = [...kept.keys()]
    const present = new Set(await used(keys))
    await drop(keys.filter((key) => !present.has(key)))
  }
  const timer = setInterval(() => void clean().catch(onError), CLEAN_MS).unref()
  void makeRoom().catch(onError)

  return {
    ...inner,
    async get(key, into, part) {
      const size = kept.get(key)
      if (part) {
        if (size !== undefined && (await copies.get(nameOf(key), into, part))) return true
        if (size === undefined && !part.isAhead) copyOften(key, part.of)
        return inner.get(key, into, part)
      }
      if (size !== undefined && (await copies.get(nameOf(key), into)) && isWhole(key, into)) {
        kept.delete(key)
        kept.set(key, size)
        return true
      }
      // A copy that is damaged, was cut off by a crash, or was deleted by hand.
      if (size !== undefined) await drop([key])
      const isFound = await inner.get(key, into)
      if (isFound) keepLater(key, into)
      return isFound
    },
    async delete(keys) {
      await written
      await drop(keys)
      await inner.delete(keys)
    },
    async close() {
      clearInterval(timer)
      await written
      await inner.close?.()
    },
  }
}

const nameOf = (key: string) => key.replaceAll('/', SLASH)

/** Bytes of the copies in a folder by key, the oldest first. Creates the folder if it is missing. */
function listCopies(folder: string): Map<string, number> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const files = readdirSync(folder).map((name) => ({ name, ...statSync(join(folder, name)) }))
  return new Map(
    files.toSorted((a, b) => a.mtimeMs - b.mtimeMs).map(({ name, size }) => [name.replaceAll(SLASH, '/'), size]),
  )
}
