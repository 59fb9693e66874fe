import { readWholePayload, serveChild } from '#workers/serve-child.ts'
import { decompress } from '#net/bodies.ts'
import { NetError } from '#net/net-error.ts'
import type { NoPdf, ReadPdf } from '#extract/pdf/read-pdf.ts'

/** A PDF, its Content-Encoding, and the limit for its decoded size (`maxBytes`). */
type PdfInput = { bytes: Uint8Array; encoding?: string; maxBytes?: number }

/** Parsers that run in a child process, by name. Each is loaded on demand. */
const PARSERS = {
  api: async () => (await import('#extract/api/read-description.ts')).readDescriptionBytes,
  localApi: async () => (await import('#extract/api/read-description.ts')).readLocalDescription,
  upload: async () => {
    const { unpackUpload } = await import('#extract/upload/unpack-upload.ts')
    /** The bytes arrive as the payload, in full: a zip archive is read from its end. */
    return async ({ size, fileName }: { size: number; fileName: string }) =>
      unpackUpload({ bytes: await readWholePayload(size), fileName })
  },
  apiFiles: async () => (await import('#extract/api/read-description.ts')).findFilesOutside,
  pdf: async () => {
    const { readPdf } = await import('#extract/pdf/read-pdf.ts')
    // The library accepts a plain Uint8Array only, no Buffer.
    return async ({ bytes, encoding = '', maxBytes = bytes.byteLength }: PdfInput): Promise<ReadPdf | NoPdf> => {
      const decoded = await tryDecompress(bytes, encoding, maxBytes)
      if (typeof decoded === 'string') return { kind: 'rejected', reason: 'damaged', detail: decoded }
      const { buffer, byteOffset, byteLength } = decoded
      return readPdf({ bytes: new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength) })
    }
  },
}

/** Returns the decoded bytes, or an error message. */
async function tryDecompress(bytes: Uint8Array, encoding: string, maxBytes: number): Promise<Uint8Array | string> {
  try {
    return await decompress(bytes, encoding, { maxBytes })
  } catch (error) {
    if (error instanceof NetError) return error.message
    throw error
  }
}

type Name = keyof typeof PARSERS
type Parser<K extends Name> = Awaited<ReturnType<(typeof PARSERS)[K]>>

/** Name and input of a parser, as sent to the process. */
export type ParseTask<K extends Name = Name> = { name: K; input: Parameters<Parser<K>>[0] }
export type ParserName = Name
export type Parsed<K extends Name> = Awaited<ReturnType<Parser<K>>>

async function run<K extends Name>({ name, input }: ParseTask<K>): Promise<Parsed<K>> {
  // TypeScript cannot link the name to its parser's type.
  const parse = (await PARSERS[name]()) as (value: typeof input) => Parsed<K>
  return parse(input)
}

/** The result of a parser, or an error caused by a bug in it. */
export type ParseAnswer<K extends Name> = { ok: true; value: Parsed<K> } | { ok: false; error: unknown }

// Load the parser before reading any document, while its compiled code can still be cached.
const { 2: name } = process.argv
if (isParser(name)) await PARSERS[name]()

function isParser(given = ''): given is Name {
  return given in PARSERS
}

serveChild(async (task: ParseTask): Promise<ParseAnswer<Name>> => {
  try {
    return { ok: true, value: await run(task) }
  } catch (error) {
    return { ok: false, error }
  }
})
