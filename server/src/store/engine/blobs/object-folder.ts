import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { differences } from '#lib/operating-system.ts'
import { codeOf } from '#store/engine/outages.ts'
import type { ObjectStore } from './object-store.ts'

/** Ending of a file that is being written. */
const UNFINISHED = '.unfinished'

/** Objects as files. A file has its name when its bytes are on the disk. Those of copies can be lost by a crash. */
export function openObjectFolder(root: string, { isCopy = false } = {}): ObjectStore {
  return {
    async put(key, data) {
      const path = join(root, key)
      const unfinished = `${path}.${randomBytes(6).toString('hex')}${UNFINISHED}`
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      try {
        await writeFile(unfinished, data, isCopy)
        await rename(unfinished, path)
      } catch (error) {
        await rm(unfinished, { force: true })
        throw error
      }
      // The name is on the disk when the folder is.
      if (!differences.hasFileModes || isCopy) return
      await using folder = await open(dirname(path))
      await folder.sync()
    },
    get: (key, into, part) => orNull(readFile(join(root, key), into, part?.from ?? 0), false),
    async delete(keys) {
      for (const key of keys) await rm(join(root, key), { force: true })
    },
    list: (prefix) => listFiles(root, prefix),
  }
}

async function writeFile(path: string, data: Uint8Array, isCopy: boolean): Promise<void> {
  await using file = await open(path, 'wx', 0o600)
  await file.writeFile(data)
  if (!isCopy) await file.sync()
}

async function readFile(path: string, into: Uint8Array, from: number): Promise<true> {
  await using file = await open(path)
  for (let at = 0; at < into.byteLength;) {
    const { bytesRead } = await file.read(into, at, into.byteLength - at, from + at)
    if (bytesRead === 0) break
    at += bytesRead
  }
  return true
}

/** The value, or the other one if a file or folder does not exist. */
async function orNull<T, Missing>(value: Promise<T>, missing: Missing): Promise<T | Missing> {
  try {
    return await value
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return missing
    throw error
  }
}

/** The files in a folder and those below it, also unfinished ones, a folder at a time. */
async function* listFiles(root: string, folder: string): ReturnType<ObjectStore['list']> {
  const entries = await orNull(readdir(join(root, folder), { withFileTypes: true }), [])
  const files = []
  for (const entry of entries) {
    const key = `${folder}/${entry.name}`
    if (entry.isDirectory()) yield* listFiles(root, key)
    const facts = entry.isFile() ? await orNull(stat(join(root, key)), null) : null
    if (facts) files.push({ key, bytes: facts.size, modifiedAt: facts.mtimeMs })
  }
  if (files.length > 0) yield files
}
