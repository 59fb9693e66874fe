import { readWholePayload } from '#lib/read-payload.ts'
import { serveApart } from '#lib/serve-apart.ts'
import { decompress } from '#net/decompress.ts'
import { NetError } from '#net/net-error.ts'
import type { NoPdf, ReadPdf } from './extract/pdf/read-pdf.ts'

/** A PDF, and the Content-Encoding that it was sent in, by which it may not grow beyond `maxBytes`. */
type PdfInput = { bytes: Uint8Array; encoding?: string; maxBytes?: number }

/** Parsers that are run apart, by name. Each is loaded only where it is wanted. */
const PARSERS = {
  api: async () => (await import('./extract/api/read-description-bytes.ts')).readDescriptionBytes,
  localApi: async () => (await import('./extract/api/read-local-description.ts')).readLocalDescription,
  upload: async () => {
    const { unpackUpload } = await import('./extract/upload/unpack-upload.ts')
    /** The bytes are the payload: a zip archive is read from its end. */
    return async ({ size, fileName }: { size: number; fileName: string }) =>
      unpackUpload({ bytes: await readWholePayload(size), fileName })
  },
  apiFiles: async () => (await import('./extract/api/read-description-bytes.ts')).findFilesOutside,
  pdf: async () => {
    const { readPdf } = await import('./extract/pdf/read-pdf.ts')
    // The library insists on plain bytes.
    return async ({ bytes, encoding = '', maxBytes = bytes.byteLength }: PdfInput): Promise<ReadPdf | NoPdf> => {
      const decoded = await tryDecompress(bytes, encoding, maxBytes)
      if (typeof decoded === 'string') return { kind: 'rejected', reason: 'damaged', detail: decoded }
      const { buffer, byteOffset, byteLength } = decoded
      return readPdf({ bytes: new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength) })
    }
  },
}

/** The bytes, or a sentence about why there are none. */
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

/** Name and input of a parser, as the process is given them. */
export type ParseTask<K extends Name = Name> = { name: K; input: Parameters<Parser<K>>[0] }
export type ParserName = Name
export type Parsed<K extends Name> = Awaited<ReturnType<Parser<K>>>

async function run<K extends Name>({ name, input }: ParseTask<K>): Promise<Parsed<K>> {
  // The compiler cannot see that one name leads to one function.
  const parse = (await PARSERS[name]()) as (value: typeof input) => Parsed<K>
  return parse(input)
}

/** What a parser gave, or the bug that it has. */
export type ParseAnswer<K extends Name> = { ok: true; value: Parsed<K> } | { ok: false; error: unknown }

// Loaded before anything is read, while what is compiled for it can still be kept.
const { 2: name } = process.argv
if (isParser(name)) await PARSERS[name]()

function isParser(given = ''): given is Name {
  return given in PARSERS
}

serveApart(async (task: ParseTask): Promise<ParseAnswer<Name>> => {
  try {
    return { ok: true, value: await run(task) }
  } catch (error) {
    return { ok: false, error }
  }
})
