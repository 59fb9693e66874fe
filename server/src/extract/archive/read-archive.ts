import { pipeline } from 'node:stream/promises'
import { createGunzip, crc32 } from 'node:zlib'
import { Header, Parser, type ReadEntry } from 'tar'
import { type Entry, type ZipFile, fromBufferPromise } from 'yauzl'

/** An archive entry other than a folder. `path` is unvalidated. */
type ArchiveEntry = {
  path: string
  /** Declared size in bytes. */
  size: number
  /** False for links, devices and other special entries. */
  isFile: boolean
  isEncrypted?: boolean
}

/** Called for each entry. Returns a receiver for its bytes, or null to skip it. */
export type EntryVisitor = (entry: ArchiveEntry) => EntryTaker | null

/** Receives the bytes, or null if they are damaged. */
export type EntryTaker = (bytes: Uint8Array<ArrayBuffer> | null) => void

export type ArchiveLimits = {
  /** Maximum decompressed size in bytes. Larger archives are refused. */
  archiveBytes: number
  entries: number
}

/** The archive as a whole is unreadable. The message is the end of a sentence. */
export class ArchiveProblem extends Error {
  override name = 'ArchiveProblem'
}

export class ArchiveTooLarge extends ArchiveProblem {
  override name = 'ArchiveTooLarge'

  constructor({ archiveBytes }: ArchiveLimits) {
    super(`it holds more than ${Math.round(archiveBytes / 1e6)} MB`)
  }
}

const STEP = 1 << 18
const BLOCK_BYTES = 512

/**
 * Reads a tar archive in memory, with or without gzip. Writes nothing and follows no links. `encoding` is the
 * Content-Encoding of the response. Throws `ArchiveProblem` if the archive cannot be read to its end.
 */
export async function readTar(
  bytes: Uint8Array | AsyncIterable<Buffer>,
  limits: ArchiveLimits & { encoding?: string },
  visit: EntryVisitor,
): Promise<void> {
  let seen = 0
  const onReadEntry = (entry: ReadEntry) => {
    const isFolder = entry.type === 'Directory' || entry.type === 'GNUDumpDir'
    const isFile = entry.type === 'File' || entry.type === 'OldFile' || entry.type === 'ContiguousFile'
    const isCounted = seen++ < limits.entries
    const take = isCounted && !isFolder ? visit({ path: entry.path, size: entry.size, isFile }) : null
    if (take) {
      const chunks: Buffer[] = []
      entry.on('data', (chunk: Buffer) => chunks.push(chunk))
      entry.on('end', () => take(new Uint8Array(Buffer.concat(chunks))))
    } else entry.resume()
  }
  let wasCut = false
  const onwarn = (code: string) => (wasCut ||= code === 'TAR_BAD_ARCHIVE' || code === 'TAR_ABORT')
  // Disable the parser's own decompression: this function decompresses and counts bytes itself.
  const parser = new Parser({ onReadEntry, brotli: false, zstd: false, onwarn })
  // Bytes after the end belong to no file, and the parser becomes ever slower on them.
  let hasEnded = false
  parser.on('eof', () => (hasEnded = true))
  let size = 0
  const encoding = limits.encoding?.trim() ?? ''
  if (!/^(?:|identity|(?:x-)?gzip)$/i.test(encoding)) throw new ArchiveProblem('it was sent in an unknown encoding')
  try {
    // Hosts may compress it once more for transfer, or only claim to.
    const layers = /gzip/i.test(encoding) ? 2 : 1
    await inflate(bytes instanceof Uint8Array ? piecesOf(bytes) : bytes, layers, (chunk) => {
      if (size === 0 && isGzip(chunk)) throw new ArchiveProblem('it is compressed twice')
      size += chunk.byteLength
      if (size > limits.archiveBytes) throw new ArchiveTooLarge(limits)
      if (!hasEnded) parser.write(chunk)
    })
    // The parser emits entries during writes, so nothing is pending here.
    parser.end()
  } catch (cause) {
    throw cause instanceof ArchiveProblem ? cause : new ArchiveProblem('it is damaged', { cause })
  }
  if (seen === 0) throw new ArchiveProblem('there is nothing in it')
  if (wasCut) throw new ArchiveProblem('it ends too early')
  if (seen > limits.entries) throw new ArchiveProblem('it has too many files')
}

async function* piecesOf({ buffer, byteOffset, byteLength }: Uint8Array): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(buffer, byteOffset, byteLength)
  for (let at = 0; at < byteLength; at += STEP) yield bytes.subarray(at, at + STEP)
}

/** Decompresses the pieces of an archive as often as they begin like gzip, at most `layers` times. */
async function inflate(pieces: AsyncIterable<Buffer>, layers: number, take: (chunk: Buffer) => void): Promise<void> {
  const rest = pieces[Symbol.asyncIterator]()
  let head = Buffer.alloc(0)
  let next = await rest.next()
  for (; !next.done && head.length < 2; next = await rest.next()) head = Buffer.concat([head, next.value])
  const all = async function* () {
    yield head
    for (; !next.done; next = await rest.next()) yield next.value
  }
  const gunzip = layers > 0 && isGzip(head) ? createGunzip({ chunkSize: STEP }) : null
  if (gunzip) await pipeline(all, gunzip, (inner) => inflate(inner, layers - 1, take))
  else for await (const chunk of all()) take(chunk)
}

export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b
}

/** Returns true if the bytes start with a tar entry header with a correct checksum. */
export function isTar(bytes: Uint8Array): boolean {
  try {
    return new Header(Buffer.from(bytes.subarray(0, BLOCK_BYTES))).cksumValid
  } catch {
    // They are too few, or numbers in them are none.
    return false
  }
}

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
  if (zip.entryCount > limits.entries) throw new ArchiveProblem('it has too many files')
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
    if (size > limits.archiveBytes) throw new ArchiveTooLarge(limits)
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
    const chunks: Buffer[] = await (await zip.openReadStreamPromise(entry)).toArray()
    const whole = Buffer.concat(chunks)
    // Small buffers share memory, which would be sent with them.
    const content = whole.byteLength === whole.buffer.byteLength ? new Uint8Array(whole.buffer) : new Uint8Array(whole)
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
