import { pipeline } from 'node:stream/promises'
import { constants, createGunzip, gunzipSync } from 'node:zlib'
import { Parser, type ReadEntry } from 'tar'
import { type ArchiveLimits, ArchiveProblem, type EntryVisitor, tooLarge, tooManyFiles } from './archive-entry.ts'

const STEP = 1 << 18
const PEEK_BYTES = 1 << 10
const BLOCK_BYTES = 512
/** Position of the octal checksum in an entry header (POSIX.1-2017, pax, "ustar Interchange Format"). */
const CHECKSUM = { from: 148, to: 156 }
const BLANK = 0x20

/**
 * Reads a tar archive in memory, with or without gzip. Writes nothing and follows no links. `encoding` is the
 * Content-Encoding of the response. Throws `ArchiveProblem` if the archive cannot be read to its end.
 */
export async function readTar(
  bytes: Uint8Array | AsyncIterable<Uint8Array>,
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
  const parser = new Parser({
    onReadEntry,
    // Disable the parser's own decompression: this function decompresses and counts bytes itself.
    brotli: false,
    zstd: false,
    onwarn: (code) => (wasCut ||= code === 'TAR_BAD_ARCHIVE' || code === 'TAR_ABORT'),
  })
  // Bytes after the end belong to no file, and the parser becomes ever slower on them.
  let hasEnded = false
  parser.on('eof', () => (hasEnded = true))
  let size = 0
  try {
    await inflate(bytes, limits.encoding ?? '', (chunk) => {
      if (size === 0 && isGzip(chunk)) throw new ArchiveProblem('it is compressed twice')
      size += chunk.byteLength
      if (size > limits.archiveBytes) throw tooLarge(limits)
      if (!hasEnded) parser.write(chunk)
    })
    // The parser emits entries during writes, so nothing is pending here.
    parser.end()
  } catch (cause) {
    throw cause instanceof ArchiveProblem ? cause : new ArchiveProblem('it is damaged', { cause })
  }
  if (seen === 0) throw new ArchiveProblem('there is nothing in it')
  if (wasCut) throw new ArchiveProblem('it ends too early')
  if (seen > limits.entries) throw tooManyFiles()
}

/**
 * Passes on the archive in chunks, so that its decompressed form is never whole in memory. Hosts may compress it once
 * more for transfer, or only claim to.
 */
async function inflate(
  bytes: Uint8Array | AsyncIterable<Uint8Array>,
  encoding: string,
  take: (chunk: Buffer) => void,
): Promise<void> {
  if (!/^(?:|identity|(?:x-)?gzip)$/i.test(encoding.trim()))
    throw new ArchiveProblem('it was sent in an unknown encoding')
  const { head, all: pieces } = await readHead(bytes instanceof Uint8Array ? piecesOf(bytes) : bytes)
  const sink = async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) take(chunk)
  }
  const gunzip = () => createGunzip({ chunkSize: STEP })
  const isWrapped = /gzip/i.test(encoding) && isGzip(head) && isGzip(peek(head))
  if (isWrapped) await pipeline(pieces, gunzip(), gunzip(), sink)
  else if (isGzip(head)) await pipeline(pieces, gunzip(), sink)
  else await pipeline(pieces, sink)
}

async function* piecesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += STEP) yield bytes.subarray(at, at + STEP)
}

/** Returns the first bytes, and an iterator over all bytes. */
async function readHead(pieces: AsyncIterable<Uint8Array>): Promise<{ head: Buffer; all: AsyncIterable<Buffer> }> {
  const rest = pieces[Symbol.asyncIterator]()
  const first: Buffer[] = []
  for (let size = 0; size < PEEK_BYTES;) {
    const { done, value } = await rest.next()
    if (done) break
    first.push(Buffer.from(value.buffer, value.byteOffset, value.byteLength))
    size += value.byteLength
  }
  const all = async function* () {
    yield* first.splice(0)
    for (let next = await rest.next(); !next.done; next = await rest.next()) {
      const { buffer, byteOffset, byteLength } = next.value
      yield Buffer.from(buffer, byteOffset, byteLength)
    }
  }
  return { head: Buffer.concat(first), all: all() }
}

/** Returns the first decompressed bytes. */
function peek(source: Buffer): Buffer {
  try {
    return gunzipSync(source.subarray(0, PEEK_BYTES), { finishFlush: constants.Z_SYNC_FLUSH })
  } catch {
    // The data is damaged. The later read reports that.
    return Buffer.alloc(0)
  }
}

export function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b
}

/** Returns true if the bytes start with a tar entry header with a correct checksum. Never throws. */
export function isTar(bytes: Uint8Array): boolean {
  if (bytes.byteLength < BLOCK_BYTES) return false
  const written = Buffer.from(bytes.subarray(CHECKSUM.from, CHECKSUM.to)).toString('latin1')
  const digits = /^ *([0-7]+)[ \0]*$/.exec(written)?.[1]
  if (digits === undefined) return false
  let sum = 0
  // The checksum treats its own field as blanks.
  for (const [at, byte] of bytes.subarray(0, BLOCK_BYTES).entries())
    sum += at >= CHECKSUM.from && at < CHECKSUM.to ? BLANK : byte
  return sum === Number.parseInt(digits, 8)
}
