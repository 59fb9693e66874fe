import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { elementAt } from '#lib/arrays.ts'
import type { OnnxRuntime } from '#lib/settings.ts'
import type { Embedded, TextKind } from '../embedding-model.ts'
import type { ModelFolder, Pooling } from './read-model-folder.ts'

/** The common API of `onnxruntime-node` and `onnxruntime-web` used here. */
type Runtime = {
  env: { wasm?: { numThreads?: number } }
  InferenceSession: { create(model: Uint8Array, options: object): Promise<Session> }
  Tensor: new (type: 'int64', data: BigInt64Array, dims: readonly number[]) => Tensor
}
type Session = {
  inputNames: readonly string[]
  outputNames: readonly string[]
  run(inputs: Record<string, Tensor>): Promise<Record<string, Tensor | undefined>>
}
type Tensor = { data: unknown; dims: readonly number[] }

/** The API of `@huggingface/tokenizers` used here. */
type Tokenizers = { Tokenizer: new (tokenizer: object, config: object) => Tokenizer }
type Tokenizer = { encode(text: string): { ids: number[] } }

export type OpenedModel = {
  dimensions: number
  /** Identical for the same files and settings in any folder. */
  fingerprint: string
}

export type OnnxModel = OpenedModel & { embed(texts: readonly string[], kind: TextKind): Promise<Embedded> }

/** Encoder inputs: the tokens, the padding mask, and the index of the text each token belongs to. */
const INPUTS: ReadonlySet<string> = new Set(['input_ids', 'attention_mask', 'token_type_ids'])
/** Output names used by exporters: vectors of whole texts first, which need no pooling, then vectors of tokens. */
const OUTPUTS = ['sentence_embedding', 'token_embeddings', 'last_hidden_state']
/** More dimensions enlarge the index without improving results. */
const MOST_DIMENSIONS = 8_192

/** Opens a sentence model and runs it on a test text. Throws an `Error` with a message for the operator. */
export async function openOnnxModel(folder: ModelFolder, packages: OnnxRuntime): Promise<OnnxModel> {
  const runtime = (await loadPackage(packages.runtime)) as Runtime
  const { Tokenizer } = (await loadPackage(packages.tokenizers)) as Tokenizers
  // WebAssembly threads are worker threads, which this process may not start.
  if (runtime.env.wasm) runtime.env.wasm.numThreads = 1
  const [model, data, vocabulary, settings] = await Promise.all([
    readFile(folder.modelFile),
    Promise.all(folder.dataFiles.map(async (file) => ({ path: basename(file), data: await readFile(file) }))),
    readFile(folder.tokenizerFile),
    folder.tokenizerConfigFile === null ? Buffer.from('{}') : readFile(folder.tokenizerConfigFile),
  ])
  const tokenizer = await explain('tokenizer.json', () => new Tokenizer(parse(vocabulary), parse(settings)))
  const session = await explain('ONNX file', () =>
    runtime.InferenceSession.create(model, {
      logSeverityLevel: 3,
      intraOpNumThreads: THREADS,
      ...(data.length > 0 ? { externalData: data } : {}),
    }),
  )
  const unknown = session.inputNames.filter((name) => !INPUTS.has(name))
  if (unknown.length > 0 || !session.inputNames.includes('input_ids'))
    throw new Error(
      `The model takes ${session.inputNames.join(', ')}; those of sentences take ${[...INPUTS].join(', ')}.`,
    )
  const output = OUTPUTS.find((name) => session.outputNames.includes(name)) ?? session.outputNames[0] ?? ''
  const closing = tokenizer.encode('').ids

  const embed = async (texts: readonly string[], kind: TextKind): Promise<Embedded> => {
    const rows = texts.map((text) =>
      cutTokens(tokenizer.encode(folder.prefixes[kind] + text).ids, closing, folder.maxTokens),
    )
    const lengths = rows.map((ids) => Math.max(1, ids.length))
    const width = Math.max(...lengths)
    const fill = (value: (text: number, token: number) => number) => {
      const data = new BigInt64Array(rows.length * width)
      for (const at of data.keys()) data[at] = BigInt(value(Math.floor(at / width), at % width))
      return new runtime.Tensor('int64', data, [rows.length, width])
    }
    const inputs: Record<string, Tensor> = {
      input_ids: fill((text, token) => rows[text]?.[token] ?? 0),
      attention_mask: fill((text, token) => Number(token < elementAt(lengths, text))),
      token_type_ids: fill(() => 0),
    }
    const wanted = Object.fromEntries(Object.entries(inputs).filter(([name]) => session.inputNames.includes(name)))
    const vectors = vectorsOf((await session.run(wanted))[output], lengths, folder)
    return { vectors, tokens: lengths.reduce((sum, length) => sum + length, 0) }
  }

  const tried = await explain('model', () => embed(['What does this model make of a sentence?', 'Of two?'], 'passage'))
  const { pooling, maxTokens, prefixes } = folder
  const made = createHash('sha256').update(model)
  for (const { path, data: weights } of data) made.update(path).update(weights)
  const fingerprint = made
    .update(vocabulary)
    .update(settings)
    .update(JSON.stringify({ pooling, maxTokens, prefixes }))
    .digest('hex')
  return { dimensions: tried.vectors[0]?.length ?? 0, fingerprint, embed }
}

/** For a native runtime. One thread per processor would slow the service down. */
const THREADS = 1

/** Returns one vector per text. Throws if the output has another shape. */
function vectorsOf(output: Tensor | undefined, lengths: readonly number[], { pooling }: ModelFolder): Float32Array[] {
  const { data, dims } = output ?? { data: null, dims: [] }
  if (!(data instanceof Float32Array)) throw new Error('The model gives no numbers of 32 bits.')
  const dimensions = dims.at(-1) ?? 0
  const [texts, tokens = 1] = dims.length === 3 ? dims : [dims[0]]
  const fits = (dims.length === 2 || dims.length === 3) && texts === lengths.length
  const leastTokens = dims.length === 3 ? Math.max(...lengths) : 1
  if (!fits || dimensions < 2 || dimensions > MOST_DIMENSIONS || tokens < leastTokens) {
    throw new Error(
      `The model gives numbers of the dimensions ${dims.join(' × ')} for ${lengths.length} texts, ` +
        `which are no vectors of texts or tokens with 2 to ${MOST_DIMENSIONS} numbers.`,
    )
  }
  if (!data.every(Number.isFinite)) throw new Error('The model gives vectors that are no numbers.')
  if (dims.length === 3) return poolTokens({ data, tokens, dimensions }, lengths, pooling)
  return lengths.map((_, text) => data.slice(text * dimensions, (text + 1) * dimensions))
}

/** Imports a package by the URL of its main file. CommonJS exports may be under `default`. */
async function loadPackage(address: string): Promise<unknown> {
  const module = (await import(address)) as { default?: unknown }
  return 'InferenceSession' in module || 'Tokenizer' in module ? module : module.default
}

const parse = (bytes: Buffer): object => JSON.parse(bytes.toString('utf8')) as object

async function explain<T>(what: string, body: () => T | Promise<T>): Promise<T> {
  try {
    return await body()
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`Its ${what} cannot be used: ${why}`, { cause })
  }
}

/** Truncates the tokens of a text, except the special ones at its end, which `empty`, the empty text, has too. */
export function cutTokens(ids: readonly number[], empty: readonly number[], most: number): number[] {
  if (ids.length <= most) return [...ids]
  let closing = 0
  while (closing < Math.min(empty.length, most) && ids.at(-1 - closing) === empty.at(-1 - closing)) closing++
  return [...ids.slice(0, most - closing), ...ids.slice(ids.length - closing)]
}

/** Token vectors of several texts, concatenated. Each text is padded to the same number of tokens. */
export type TokenVectors = { data: Float32Array; tokens: number; dimensions: number }

/** Pools token vectors into one per text. The mean is that of Sentence Transformers, with the special tokens. */
export function poolTokens({ data, tokens, dimensions }: TokenVectors, lengths: readonly number[], pooling: Pooling) {
  return lengths.map((length, text) => {
    const row = (token: number) => {
      const at = (text * tokens + token) * dimensions
      return data.subarray(at, at + dimensions)
    }
    if (pooling === 'first') return row(0).slice()
    if (pooling === 'last') return row(length - 1).slice()
    const mean = new Float32Array(dimensions)
    for (let token = 0; token < length; token++)
      for (const [at, value] of row(token).entries()) mean[at] = elementAt(mean, at) + value / length
    return mean
  })
}
