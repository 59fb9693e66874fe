import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { MOST_FILE_BYTES, MOST_FILE_LINES, MOST_LINE_BYTES } from '@docent/contract/operations/server-files'
import { ServerFileLine } from '@docent/contract/values/server-file'
import { DocentError } from '#errors.ts'
import { parseBoundedJson } from '#lib/text/bounded-json.ts'
import { decodeOutline, encodeOutline, withLinks } from '#search/outline.ts'
import type { Chunk } from '#search/page.ts'

export type FilePage = ServerFileLine & { kind: 'page' }
/** Bounds for what is read. Tests lower them. */
export type FileBounds = { bytes: number; lines: number; line: number }
const BOUNDS: FileBounds = { bytes: MOST_FILE_BYTES, lines: MOST_FILE_LINES, line: MOST_LINE_BYTES }

/** Values in one line. A page of 2 million characters has a tenth of it. */
const MOST_VALUES = 2_000_000

export const damaged = (why: string): DocentError =>
  new DocentError('server_file_damaged', { text: `The file is not a complete file of a server: ${why}.` })

/** The order of the lines. Some kinds can be absent. */
const ORDER = ['docent-server', 'server', 'tool', 'source', 'rule', 'pin', 'page', 'end'] as const

/**
 * Reads the lines of a file, checked one by one. The last one has been yielded only if the hash of all others is right.
 * Throws `400 server_file_damaged`, and `413 payload_too_large` beyond the bounds.
 */
export async function* readServerFile(
  chunks: AsyncIterable<Uint8Array>,
  bounds: FileBounds = BOUNDS,
): AsyncGenerator<ServerFileLine> {
  const hash = createHash('sha256')
  let count = 0
  let at = 0
  let isOver = false
  for await (const bytes of splitLines(await unpacked(chunks), bounds)) {
    if (isOver) throw damaged('it goes on after its last line')
    const line = parseLine(bytes, count + 1)
    const place = ORDER.indexOf(line.kind)
    const isNext = count < 2 ? place === count : place >= Math.max(at, 2)
    if (!isNext) throw damaged(`line ${count + 1} is at the wrong place`)
    if (line.kind === 'end') {
      if (line.lines !== count || line.sha256 !== hash.digest('hex')) throw damaged('its hash is another')
      isOver = true
    } else hash.update(bytes).update('\n')
    at = place
    count++
    yield line
    await nextTurn()
  }
  if (!isOver) throw damaged('it ends too early')
}

function parseLine(bytes: Uint8Array, number: number): ServerFileLine {
  let value: unknown
  try {
    value = parseBoundedJson(bytes, MOST_VALUES)
  } catch {
    throw damaged(`line ${number} is no JSON`)
  }
  const line = ServerFileLine.safeParse(value)
  if (line.success) return line.data
  throw damaged(`line ${number} has the wrong form (${line.error.issues[0]?.path.join('.') ?? ''})`)
}

/** The bytes without compression. A file begins with a brace, and a compressed one with the mark of gzip. */
async function unpacked(chunks: AsyncIterable<Uint8Array>): Promise<AsyncIterable<Uint8Array>> {
  const iterator = chunks[Symbol.asyncIterator]()
  const first = await iterator.next()
  const all = async function* (): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    for (let next = first; !next.done; next = await iterator.next()) yield new Uint8Array(next.value)
  }
  if (first.done || first.value[0] !== 0x1f) return all()
  const inflated = ReadableStream.from(all()).pipeThrough(new DecompressionStream('gzip'))
  return asDamaged(inflated)
}

async function* asDamaged(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* bytes
  } catch (error) {
    throw error instanceof DocentError ? error : damaged('it cannot be unpacked')
  }
}

const LINE_END = 0x0a

async function* splitLines(chunks: AsyncIterable<Uint8Array>, bounds: FileBounds): AsyncGenerator<Uint8Array> {
  let waiting: Uint8Array[] = []
  let [held, total, lines] = [0, 0, 0]
  for await (const chunk of chunks) {
    total += chunk.byteLength
    if (total > bounds.bytes) throw new DocentError('payload_too_large')
    let from = 0
    for (let end = chunk.indexOf(LINE_END); end >= 0; end = chunk.indexOf(LINE_END, from)) {
      if (++lines > bounds.lines) throw new DocentError('payload_too_large')
      const line = Buffer.concat([...waiting, chunk.subarray(from, end)])
      if (line.byteLength > bounds.line) throw new DocentError('payload_too_large')
      yield line
      waiting = []
      held = 0
      from = end + 1
    }
    waiting.push(chunk.subarray(from))
    held += chunk.byteLength - from
    if (held > bounds.line) throw new DocentError('payload_too_large')
  }
  if (held > 0) throw damaged('its last line is incomplete')
}

/**
 * The outline of a page, as it is stored. Throws `400 server_file_damaged` for an index that does not fit the text: what
 * reads it later trusts its offsets.
 */
export function outlineOfPage({ language, version, chunks, links, markdown, url }: FilePage): Uint8Array<ArrayBuffer> {
  const wrong = damaged(`the index of ${url.slice(0, 200)} does not fit its text`)
  if (!areWithin(chunks, markdown.length)) throw wrong
  try {
    const outline = encodeOutline({ language, version, chunks: chunks as Chunk[] })
    if (!isDeepStrictEqual(plain(decodeOutline(outline).chunks), plain(chunks))) throw wrong
    return withLinks(outline, links)
  } catch (error) {
    throw error === wrong ? error : new DocentError('server_file_damaged', { text: wrong.message, cause: error })
  }
}

/** Without undefined members and prototypes. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

/** True if the parts are in order, do not overlap, and have blocks and entries within the text. */
function areWithin(chunks: FilePage['chunks'], length: number): boolean {
  const fits = ({ start, end }: { start: number; end: number }) => start <= end && end <= length
  let end = 0
  return chunks.every((chunk) => {
    const { blocks, entries = [], turns = [] } = chunk
    const isNext = chunk.start >= end && fits(chunk)
    end = chunk.end
    const inside = blocks.every((block) => fits(block) && block.start >= chunk.start && block.end <= chunk.end)
    const code = blocks.every((block) => block.kind !== 'code' || fits({ start: block.codeStart, end: block.codeEnd }))
    return (
      isNext &&
      inside &&
      code &&
      entries.every((entry) => fits(entry) && fits(entry.name)) &&
      turns.every(({ start }) => start <= length)
    )
  })
}
