import type { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { type Entry, type ZipFile, fromBufferPromise } from 'yauzl'
import { type ArchiveLimits, ArchiveProblem, type EntryVisitor, tooLarge, tooManyFiles } from './archive-entry.ts'

const UNIX_TYPE = 0o170000
const UNIX_FILE = 0o100000

/**
 * Reads a zip archive in memory. Writes nothing, follows no links, and decompresses only requested entries, never
 * beyond their declared size. Passes null for a damaged file. Throws `ArchiveProblem` if the archive as a whole is
 * unreadable, for example because a path leads out of it.
 */
export async function readZip(bytes: Uint8Array, limits: ArchiveLimits, visit: EntryVisitor): Promise<void> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const zip = await orProblem(() => fromBufferPromise(buffer, { lazyEntries: true }))
  if (zip.entryCount === 0) throw new ArchiveProblem('there is nothing in it')
  if (zip.entryCount > limits.entries) throw tooManyFiles()
  const entries = zip.eachEntry()
  let size = 0
  let files = 0
  let encrypted = 0
  for (;;) {
    const { done, value: entry } = await orProblem(() => entries.next())
    if (done) break
    if (entry.fileName.endsWith('/')) continue
    const isEncrypted = entry.isEncrypted()
    encrypted += Number(isEncrypted)
    files++
    const take = visit({ path: entry.fileName, size: entry.uncompressedSize, isFile: isFile(entry), isEncrypted })
    if (!take || isEncrypted) continue
    size += entry.uncompressedSize
    if (size > limits.archiveBytes) throw tooLarge(limits)
    take(await contentOf(zip, entry))
  }
  if (encrypted > 0 && encrypted === files) throw new ArchiveProblem('it is protected by a password')
}

/** The high half of the attributes holds the mode in archives from Unix. */
function isFile({ externalFileAttributes }: Entry): boolean {
  const type = (externalFileAttributes >>> 16) & UNIX_TYPE
  return type === 0 || type === UNIX_FILE
}

/** The stream fails if the entry is larger or smaller than declared. */
async function contentOf(zip: ZipFile, entry: Entry): Promise<Uint8Array<ArrayBuffer> | null> {
  if (!entry.canDecodeFileData()) return null
  try {
    const stream: Readable = await zip.openReadStreamPromise(entry)
    const chunks: Buffer[] = []
    for await (const chunk of stream) chunks.push(chunk as Buffer)
    const content = new Uint8Array(Buffer.concat(chunks))
    return crc32(content) === entry.crc32 ? content : null
  } catch {
    // Any stream error means that this file is damaged. Other files may be intact.
    return null
  }
}

async function orProblem<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (cause) {
    const why =
      cause instanceof Error && /path/i.test(cause.message) ? 'it has a path that leads out of it' : 'it is damaged'
    throw new ArchiveProblem(why, { cause })
  }
}

/** Matches the header of the first file, or the end record of an empty archive. */
export function isZip(bytes: Uint8Array): boolean {
  return (
    bytes[0] === 0x50 && bytes[1] === 0x4b && ((bytes[2] === 3 && bytes[3] === 4) || (bytes[2] === 5 && bytes[3] === 6))
  )
}
