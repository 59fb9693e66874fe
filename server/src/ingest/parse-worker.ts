import { parentPort, workerData } from 'node:worker_threads'

/** Parsers that are run apart, by name. Each is loaded only where it is wanted. */
const PARSERS = {
  api: async () => (await import('./extract/api/read-description.ts')).readDescription,
  upload: async () => (await import('./extract/upload/unpack-upload.ts')).unpackUpload,
  apiFiles: async () => (await import('./extract/api/bundle-files.ts')).findOutsideFiles,
  pdf: async () => (await import('./extract/pdf/read-pdf.ts')).readPdf,
}

type Name = keyof typeof PARSERS
type Parser<K extends Name> = Awaited<ReturnType<(typeof PARSERS)[K]>>

/** Name and input of a parser, as the worker is given them. */
export type ParseTask<K extends Name = Name> = { name: K; input: Parameters<Parser<K>>[0] }
export type ParserName = Name
export type Parsed<K extends Name> = Awaited<ReturnType<Parser<K>>>

async function run<K extends Name>({ name, input }: ParseTask<K>): Promise<Parsed<K>> {
  // The compiler cannot see that one name leads to one function.
  const parse = (await PARSERS[name]()) as (value: typeof input) => Parsed<K>
  return parse(input)
}

if (parentPort === null) throw new Error('parse-worker.ts runs as a worker thread of parse-apart.ts')
parentPort.postMessage(await run(workerData as ParseTask))
