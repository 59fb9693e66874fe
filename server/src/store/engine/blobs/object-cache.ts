import { mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { openObjectFolder } from './object-folder.ts'
import { type ObjectStore, isWhole } from './object-store.ts'

type Options = {
  folder: string
  /** Bytes on the disk. */
  capacity: number
  /** Of these keys, those to which a row refers. */
  used: (keys: readonly string[]) => Promise<readonly string[]>
  onError: (error: unknown) => void
}

/** Copies of objects that other nodes have deleted leave the disk within this time. */
const CLEAN_MS = 10 * 60_000
/** In place of `/` in the names of files: keys have no such character. */
const SLASH = '~'

/** Keeps copies of objects on the disk of this node, and deletes those that were not used for the longest time. */
export function cacheObjects(inner: ObjectStore, { folder, capacity, used, onError }: Options): ObjectStore {
  const copies = openObjectFolder(folder)
  /** Bytes by key, the least recently used first. */
  const kept = listCopies(folder)
  let bytes = [...kept.values()].reduce((sum, size) => sum + size, 0)

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
    if (data.byteLength > capacity || kept.has(key)) return
    kept.set(key, data.byteLength)
    bytes += data.byteLength
    await copies.put(nameOf(key), data)
    await makeRoom()
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
    async get(key) {
      const size = kept.get(key)
      const copy = size === undefined ? null : await copies.get(nameOf(key))
      if (size !== undefined && copy !== null && isWhole(key, copy)) {
        kept.delete(key)
        kept.set(key, size)
        return copy
      }
      // A copy that is damaged or was deleted by hand.
      if (size !== undefined) await drop([key])
      const data = await inner.get(key)
      // A full disk costs the copy, not the answer.
      if (data !== null && isWhole(key, data))
        await keep(key, data).catch((error) => drop([key]).then(() => onError(error)))
      return data
    },
    async delete(keys) {
      await drop(keys)
      await inner.delete(keys)
    },
    close() {
      clearInterval(timer)
      inner.close?.()
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
