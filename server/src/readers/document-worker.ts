import { readFile as readDisk } from 'node:fs/promises'
import type { NoPdf, ReadPdf } from '#extract/pdf/read-pdf.ts'
import type { FileToRead } from '#extract/repository/read-file.ts'
import type { FileKind } from '#extract/repository/repository-file.ts'
import type { Unpacked } from '#extract/repository/collect-files.ts'
import { grammarAt } from '#lib/place.ts'
import { decompress } from '#net/bodies.ts'
import { NetError } from '#net/net-error.ts'
import { readPayload, readWholePayload, serveTasks } from '#workers/serve-child.ts'

/** A PDF, its Content-Encoding, and the limit for its decoded size (`maxBytes`). */
type PdfInput = { bytes: Uint8Array; encoding?: string; maxBytes?: number }

/** A git pack if `commit` is set, else an archive. Its bytes are the payload. */
type PackedInput = { size: number; encoding: string; scope: string; commit: string | null }

/** Parsers that run in a child process, by name. Each is loaded on demand. */
const PARSERS = {
  api: async () => (await import('#extract/api/read-description.ts')).readDescriptionBytes,
  localApi: async () => (await import('#extract/api/read-description.ts')).readLocalDescription,
  apiFiles: async () => (await import('#extract/api/read-description.ts')).findFilesOutside,
  remote: async () => (await import('#extract/mcp/describe-part.ts')).describePart,
  upload: async () => {
    const { unpackUpload } = await import('#extract/upload/unpack-upload.ts')
    /** The bytes arrive as the payload, in full: a zip archive is read from its end. */
    return async ({ size, fileName }: { size: number; fileName: string }) =>
      unpackUpload({ bytes: await readWholePayload(size), fileName })
  },
  unpack: async () => {
    const { unpackArchive, unpackPack } = await import('#extract/repository/unpack-repository.ts')
    return async ({ size, encoding, scope, commit }: PackedInput): Promise<Unpacked<FileKind>> =>
      commit === null
        ? unpackArchive(readPayload(), scope, { encoding })
        : unpackPack(await readWholePayload(size), { commit, scope })
  },
  read: async () => {
    const { readFile } = await import('#extract/repository/read-file.ts')
    const parseCode = await codeParser()
    return async (file: FileToRead) => readFile(file, parseCode)
  },
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

/** A parser of code with a grammar for each language, loaded when the first file needs it. */
async function codeParser() {
  const { Language, Parser } = await import('web-tree-sitter')
  const open = async (grammar: string) => {
    await Parser.init()
    const parser = new Parser()
    parser.setLanguage(await Language.load(await readDisk(grammarAt(grammar))))
    return parser
  }
  const parsers = new Map<string, ReturnType<typeof open>>()
  return async (grammar: string, text: string) => {
    const parser = parsers.get(grammar) ?? open(grammar)
    parsers.set(grammar, parser)
    return (await parser).parse(text)
  }
}

export type ParserName = keyof typeof PARSERS
type Parser<K extends ParserName> = Awaited<ReturnType<(typeof PARSERS)[K]>>

/** Name and input of a parser, as sent to the process. */
export type ParseTask<K extends ParserName = ParserName> = { name: K; input: Parameters<Parser<K>>[0] }
export type Parsed<K extends ParserName> = Awaited<ReturnType<Parser<K>>>

serveTasks(await openParsers(process.argv.slice(2)))

/** Loads parsers before any document is read, while their compiled code can still be cached. Others follow on demand. */
async function openParsers(
  names: readonly string[],
): Promise<<K extends ParserName>(task: ParseTask<K>) => Promise<Parsed<K>>> {
  const loaded = new Map<string, Promise<unknown>>()
  const load = (name: ParserName) => loaded.get(name) ?? loaded.set(name, PARSERS[name]()).get(name)
  for (const name of names) if (name in PARSERS) await load(name as ParserName)
  // TypeScript cannot link the name to its parser's type.
  return async ({ name, input }) => ((await load(name)) as (value: typeof input) => never)(input)
}
