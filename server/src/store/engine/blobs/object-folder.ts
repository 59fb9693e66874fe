import { randomBytes } from 'node:crypto'
import { type FileHandle, mkdir, open, readFile, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { codeOf } from '#store/engine/outages.ts'
import type { ObjectStore } from './object-store.ts'

/** Ending of a file that is being written. */
const UNFINISHED = '.unfinished'

/** Objects as files. A file has its name when its bytes are on the disk. */
export function openObjectFolder(root: string): ObjectStore {
  return {
    async put(key, data) {
      const path = join(root, key)
      const unfinished = `${path}.${randomBytes(6).toString('hex')}${UNFINISHED}`
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      try {
        await writeOut(await open(unfinished, 'wx', 0o600), (file) => file.writeFile(data))
        await rename(unfinished, path)
      } catch (error) {
        await rm(unfinished, { force: true })
        throw error
      }
      // The name is on the disk when the folder is. Windows cannot open folders.
      if (process.platform !== 'win32') await writeOut(await open(dirname(path)), async () => {})
    },
    get: (key) => orNull(readFile(join(root, key)), null),
    async delete(keys) {
      for (const key of keys) await rm(join(root, key), { force: true })
    },
    list: (prefix) => listFiles(root, prefix),
  }
}

async function writeOut(file: FileHandle, write: (file: FileHandle) => Promise<void>): Promise<void> {
  try {
    await write(file)
    await file.sync()
  } finally {
    await file.close()
  }
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
async function* listFiles(root: string, folder: string): AsyncGenerator<{ key: string; modifiedAt: number }[]> {
  const entries = await orNull(readdir(join(root, folder), { withFileTypes: true }), [])
  const files = []
  for (const entry of entries) {
    const key = `${folder}/${entry.name}`
    if (entry.isDirectory()) yield* listFiles(root, key)
    const facts = entry.isFile() ? await orNull(stat(join(root, key)), null) : null
    if (facts) files.push({ key, modifiedAt: facts.mtimeMs })
  }
  if (files.length > 0) yield files
}
