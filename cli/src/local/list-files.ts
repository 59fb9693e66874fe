import { lstat, open, opendir } from 'node:fs/promises'
import { join } from 'node:path'
import { createSpecCollector } from '@docent/server/extract/repository/collect-files.ts'
import { sortUpload } from '@docent/server/extract/upload/unpack-upload.ts'

/** Readable files of a folder, and the number of others by reason. */
export type Listing = { files: string[]; left: LeftOut[] }
export type LeftOut = { reason: string; files: number; example: string }

/**
 * Files of a folder worth sending, as sorted relative paths with `/`. Follows the service's own rules, so that files it
 * would skip are not sent. Does not follow links.
 */
export async function listFiles(folder: string): Promise<Listing> {
  const files: string[] = []
  const left = new Map<string, LeftOut>()
  const leave = (reason: string, path: string) => {
    const known = left.get(reason)
    if (known) known.files += 1
    else left.set(reason, { reason, files: 1, example: path })
  }
  const shelf = createSpecCollector(Number.POSITIVE_INFINITY)
  const data = new Set<string>()
  const putOnShelf = async (path: string, size: number) => {
    const bytes = new Uint8Array(size)
    await using file = await open(join(folder, path))
    await file.read(bytes)
    if (shelf.judge(path, bytes) === null) files.push(path)
    else data.add(path)
  }
  const walk = async (below: string): Promise<void> => {
    for await (const entry of await opendir(join(folder, below))) {
      const path = below === '' ? entry.name : `${below}/${entry.name}`
      if (entry.isDirectory()) {
        // The path of a Markdown file, which is always read elsewhere, shows if the folder is skipped.
        const sorted = sortUpload(`${path}/a.md`, 0)
        if ('omit' in sorted) leave(sorted.omit, `${path}/`)
        else await walk(path)
      } else if (entry.isFile()) {
        const { size } = await lstat(join(folder, path))
        const sorted = sortUpload(path, size)
        if ('omit' in sorted) leave(sorted.omit, path)
        else if (sorted.kind === 'api') await putOnShelf(path, size)
        else files.push(path)
      } else leave('link', path)
    }
  }
  await walk('')
  // Files that an API description refers to are sent with it.
  for (const { path } of shelf.parts()) {
    files.push(path)
    data.delete(path)
  }
  for (const path of data) leave('not_documentation', path)
  return { files: files.sort(), left: [...left.values()] }
}
