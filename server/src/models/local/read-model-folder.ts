import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { z } from 'zod'
import { ConfigError } from '#config.ts'
import type { OnnxRuntime } from '#lib/settings.ts'
import type { TextKind } from '../embedding-model.ts'

/** Pooling of token vectors into one: their mean, the first, or the last. */
export type Pooling = 'mean' | 'first' | 'last'

/** Files of a sentence model on disk, and its settings. */
export type ModelFolder = {
  /** Folder name, for display. */
  name: string
  modelFile: string
  /** External weight files beside the model, sorted by name. */
  dataFiles: string[]
  /** Total size of the model file and its data files. */
  modelBytes: number
  tokenizerFile: string
  /** Null if the model has none. */
  tokenizerConfigFile: string | null
  pooling: Pooling
  /** Maximum tokens of a text, including special tokens. */
  maxTokens: number
  /** Prefix that the model expects before a text of each kind. */
  prefixes: Record<TextKind, string>
}

/** Attention cost grows with the square of the length. Sentence models read 256 or 512 tokens. */
const MOST_TOKENS = 512
/** An ONNX file is limited to 2 GB, and WebAssembly memory to 4 GB. */
const MOST_BYTES = 2_000_000_000

const Positive = z.number().int().min(8)
const SentenceConfig = z.object({ max_seq_length: Positive.nullish() })
const TokenizerConfig = z.object({ model_max_length: z.number().nullish() })
const ModelConfig = z.object({ max_position_embeddings: Positive.nullish() })
const PoolingConfig = z.object({
  pooling_mode_cls_token: z.boolean().nullish(),
  pooling_mode_mean_tokens: z.boolean().nullish(),
  pooling_mode_lasttoken: z.boolean().nullish(),
})
const Prompts = z.object({ prompts: z.record(z.string(), z.string()).nullish() })

/**
 * Reads a model at a path: a folder with `tokenizer.json` and an ONNX file, directly or in its folder `onnx`. If there
 * are several ONNX files, the path must name one. The other files are those of Sentence Transformers, all optional.
 * Throws `ConfigError`.
 */
export function readModelFolder(path: string): ModelFolder {
  const given = statSync(path, { throwIfNoEntry: false })
  if (!given) throw new ConfigError(`DOCENT_EMBEDDINGS_MODEL names a folder that is not there: ${path}`)
  const folder = given.isDirectory() ? path : folderOf(path)
  const modelFile = given.isDirectory() ? findModel(path) : path
  const tokenizerFile = join(folder, 'tokenizer.json')
  if (!existsSync(tokenizerFile)) {
    throw new ConfigError(
      `The model's folder has no tokenizer.json, which says how texts are cut into tokens: ${folder}`,
    )
  }
  const dataFiles = findData(modelFile)
  const modelBytes = [modelFile, ...dataFiles].reduce((sum, file) => sum + statSync(file).size, 0)
  if (modelBytes > MOST_BYTES) throw new ConfigError(`The model has more than 2 GB, which cannot be run: ${modelFile}`)
  const tokenizerConfigFile = join(folder, 'tokenizer_config.json')
  const prompts = read(folder, 'config_sentence_transformers.json', Prompts)?.prompts
  return {
    name: basename(folder),
    modelFile,
    dataFiles,
    modelBytes,
    tokenizerFile,
    tokenizerConfigFile: existsSync(tokenizerConfigFile) ? tokenizerConfigFile : null,
    pooling: poolingOf(folder),
    maxTokens: maxTokensOf(folder),
    prefixes: {
      question: prompts?.['query'] ?? prompts?.['question'] ?? '',
      passage: prompts?.['document'] ?? prompts?.['passage'] ?? '',
    },
  }
}

const folderOf = (file: string): string => {
  const folder = dirname(file)
  return existsSync(join(folder, 'tokenizer.json')) ? folder : dirname(folder)
}

function findModel(folder: string): string {
  const places = [folder, join(folder, 'onnx')].filter((place) => existsSync(place))
  const all = places.flatMap((place) => readdirSync(place).map((name) => join(place, name)))
  const files = all.filter((file) => file.endsWith('.onnx'))
  const chosen = files.length === 1 ? files[0] : files.find((file) => basename(file) === 'model.onnx')
  if (chosen !== undefined) return chosen
  if (files.length === 0)
    throw new ConfigError(`The model's folder has no .onnx file, nor has its folder onnx: ${folder}`)
  throw new ConfigError(`The model's folder has several models. Name one of them: ${files.toSorted().join(', ')}`)
}

/** File names used by exporters: `model.onnx_data` and `model.onnx_data_1`, or `model.onnx.data`. */
function findData(modelFile: string): string[] {
  const folder = dirname(modelFile)
  const model = basename(modelFile)
  const isData = (name: string) =>
    name.startsWith(model) && /^(?:_data(?:_\d+)?|\.data)$/.test(name.slice(model.length))
  return readdirSync(folder)
    .filter(isData)
    .toSorted()
    .map((name) => join(folder, name))
}

function poolingOf(folder: string): Pooling {
  const config = read(folder, '1_Pooling/config.json', PoolingConfig)
  if (config?.pooling_mode_cls_token) return 'first'
  if (config?.pooling_mode_lasttoken) return 'last'
  if (config && config.pooling_mode_mean_tokens === false)
    throw new ConfigError(
      `The model's way to make one vector of many is not known: ${join(folder, '1_Pooling/config.json')}`,
    )
  return 'mean'
}

function maxTokensOf(folder: string): number {
  const given = [
    read(folder, 'sentence_bert_config.json', SentenceConfig)?.max_seq_length,
    read(folder, 'tokenizer_config.json', TokenizerConfig)?.model_max_length,
    read(folder, 'config.json', ModelConfig)?.max_position_embeddings,
  ]
  // A model without a limit has a placeholder of thirty digits.
  return Math.max(8, Math.min(MOST_TOKENS, ...given.filter((value) => value !== null && value !== undefined)))
}

/** Reads a JSON file of the folder. Null if it is missing. Throws `ConfigError` if it is invalid. */
function read<S extends z.ZodType>(folder: string, name: string, schema: S): z.output<S> | null {
  const file = join(folder, name)
  if (!existsSync(file)) return null
  try {
    return schema.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch (cause) {
    throw new ConfigError(`A file of the model cannot be read, or says something unexpected: ${file}`, { cause })
  }
}

/** Returns the URL of a package's main file. Throws if it is not installed. */
type Resolve = (name: string) => string

const TOKENIZERS = '@huggingface/tokenizers'
/** The faster runtime comes first: an operator who installed both wants it. */
const RUNTIMES = [
  { name: 'onnxruntime-node', isNative: true },
  { name: 'onnxruntime-web', isNative: false },
] as const

/** Finds the packages for a local model, from Docent's folder upwards. Throws `ConfigError` with those to install. */
export function findOnnxRuntime(resolve: Resolve = (name) => import.meta.resolve(name)): OnnxRuntime {
  const tokenizers = tryTo(() => resolve(TOKENIZERS))
  for (const { name, isNative } of RUNTIMES) {
    const runtime = tryTo(() => resolve(name))
    if (runtime !== null && tokenizers !== null) return { runtime, tokenizers, isNative }
  }
  throw new ConfigError(
    'DOCENT_EMBEDDINGS_MODEL names a model of this machine, and what runs it is not installed. In the folder of Docent, ' +
      `or one above it: npm install --no-save --ignore-scripts ${TOKENIZERS} onnxruntime-web (or onnxruntime-node).`,
  )
}

function tryTo<T>(body: () => T): T | null {
  try {
    return body()
  } catch {
    // Node reports a missing package with several different errors.
    return null
  }
}
