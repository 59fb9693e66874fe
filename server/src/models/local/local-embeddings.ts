import { ConfigError } from '#config.ts'
import type { OnnxRuntime } from '#lib/settings.ts'
import type { EmbeddingModel, Embedded, EmbedOptions, TextKind } from '../embedding-model.ts'
import { ModelError } from '../chat-model.ts'
import { findOnnxRuntime, type ModelFolder, readModelFolder } from './read-model-folder.ts'
import { type OnnxProcess, startOnnxProcess, type OpenedModel } from './onnx-process.ts'

export type LocalEmbeddings = EmbeddingModel &
  AsyncDisposable & {
    dimensions: number
  }

export type LocalLimits = {
  /** Milliseconds to open the model, and to embed one batch of texts. */
  openMs: number
  groupMs: number
  /** Megabytes of the whole process. Null: derived from the model size. */
  memoryMb: number | null
}

const LIMITS: LocalLimits = { openMs: 120_000, groupMs: 60_000, memoryMb: null }
/**
 * Batch limits: about 256 tokens, unless a single text has more. A question waits for at most one batch, and larger
 * batches are no faster.
 */
const GROUP = { characters: 1_000, texts: 16 }
/** The largest vocabularies, of 250,000 words, take half of it while they are parsed. */
const HEAP_MB = 1_024
/**
 * Base memory for the program and the texts, and the number of copies of the model file during loading. A model of 90
 * MB used at most 670 MB.
 */
const MEMORY_MB = 768
const COPIES = 4

type Work = {
  texts: readonly string[]
  kind: TextKind
  result: PromiseWithResolvers<Embedded>
  /** True if nobody waits for the result any longer. */
  isOver: boolean
}

/**
 * Opens a local embedding model in a child process that lives as long as the service. Questions have priority over
 * passages, and one batch runs at a time. The next text restarts a process that ended. Throws `ConfigError` if the
 * model is unusable.
 */
export async function openLocalEmbeddings(
  { path, runtime }: { path: string; runtime?: OnnxRuntime },
  limits: LocalLimits = LIMITS,
): Promise<LocalEmbeddings> {
  const folder = readModelFolder(path)
  const keeper = new ModelKeeper(folder, runtime ?? findOnnxRuntime(), limits)
  let opened: OpenedModel
  try {
    opened = await keeper.open()
  } catch (error) {
    await keeper.end()
    if (!(error instanceof ModelError)) throw error
    throw new ConfigError(`The model that DOCENT_EMBEDDINGS_MODEL names cannot be used (${path}). ${error.message}`, {
      cause: error,
    })
  }
  return new QueuedEmbeddings(keeper, {
    name: `local:${folder.name}:${opened.fingerprint.slice(0, 16)}`,
    dimensions: opened.dimensions,
    groupMs: limits.groupMs,
  })
}

type About = { name: string; dimensions: number; groupMs: number }

/** Runs one batch at a time, questions first. */
class QueuedEmbeddings implements LocalEmbeddings {
  readonly name: string
  readonly dimensions: number
  readonly #keeper: ModelKeeper
  readonly #groupMs: number
  readonly #questions: Work[] = []
  readonly #passages: Work[] = []
  #working = false
  #disposed = false

  constructor(keeper: ModelKeeper, { name, dimensions, groupMs }: About) {
    this.#keeper = keeper
    this.name = name
    this.dimensions = dimensions
    this.#groupMs = groupMs
  }

  async embed(texts: readonly string[], { signal, totalMs, kind = 'passage' }: EmbedOptions = {}): Promise<Embedded> {
    const time = totalMs === undefined ? [] : [AbortSignal.timeout(totalMs)]
    const either = AbortSignal.any([...(signal ? [signal] : []), ...time])
    const vectors = new Array<Float32Array>(texts.length)
    let tokens = 0
    for (const group of groupTexts(texts, GROUP)) {
      const given = await this.#embedGroup(
        group.map((place) => texts[place] ?? ''),
        kind,
        either,
      )
      for (const [at, place] of group.entries()) vectors[place] = given.vectors[at] ?? new Float32Array()
      tokens += given.tokens
    }
    return { vectors, tokens }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#disposed = true
    await this.#keeper.end()
  }

  async #embedGroup(texts: readonly string[], kind: TextKind, signal: AbortSignal): Promise<Embedded> {
    if (this.#disposed) throw new ModelError('aborted', 'The service is ending.')
    const one: Work = { texts, kind, result: Promise.withResolvers(), isOver: false }
    const giveUp = () => {
      one.isOver = true
      one.result.reject(whyOver(signal))
    }
    if (signal.aborted) throw whyOver(signal)
    signal.addEventListener('abort', giveUp, { once: true })
    const queue = kind === 'question' ? this.#questions : this.#passages
    queue.push(one)
    void this.#work()
    try {
      return await one.result.promise
    } finally {
      signal.removeEventListener('abort', giveUp)
    }
  }

  async #work(): Promise<void> {
    if (this.#working) return
    this.#working = true
    for (;;) {
      const next = this.#questions.shift() ?? this.#passages.shift()
      if (!next) break
      if (next.isOver) continue
      const { texts, kind, result } = next
      try {
        const process = await this.#keeper.get()
        result.resolve(await process.ask({ ask: 'embed', texts, kind }, this.#groupMs))
      } catch (error) {
        result.reject(error)
      }
    }
    this.#working = false
  }
}

function whyOver({ reason }: AbortSignal): ModelError {
  const isTime = reason instanceof DOMException && reason.name === 'TimeoutError'
  if (isTime) return new ModelError('timeout', 'The model of this machine did not answer in time.')
  return new ModelError('aborted', 'The question was cancelled.', { cause: reason })
}

/** Keeps a process with the model open, and rejects a changed model after a restart. */
class ModelKeeper {
  readonly #folder: ModelFolder
  readonly #runtime: OnnxRuntime
  readonly #limits: LocalLimits
  #process: OnnxProcess | null = null
  #first: OpenedModel | null = null
  #ended = false

  constructor(folder: ModelFolder, runtime: OnnxRuntime, limits: LocalLimits) {
    this.#folder = folder
    this.#runtime = runtime
    this.#limits = limits
  }

  /** Starts a process and loads the model. Throws `ModelError`. */
  async open(): Promise<OpenedModel> {
    if (this.#ended) throw new ModelError('aborted', 'The service is ending.')
    const { memoryMb, openMs } = this.#limits
    const process = startOnnxProcess({
      isNative: this.#runtime.isNative,
      heapMb: HEAP_MB,
      memoryMb: memoryMb ?? MEMORY_MB + (COPIES * this.#folder.modelBytes) / 1e6,
      reads: filesOf(this.#folder),
    })
    this.#process = process
    try {
      const { model } = await process.ask({ ask: 'open', folder: this.#folder, runtime: this.#runtime }, openMs)
      this.#first ??= model
      // Otherwise its vectors would be compared with those of the old model.
      if (model.fingerprint !== this.#first.fingerprint)
        throw new ModelError('refused', 'The files of the model have changed. The service has to be started again.')
      return model
    } catch (error) {
      await process.end()
      throw error
    }
  }

  /** Returns the process, restarted if it has ended. Throws `ModelError`. */
  async get(): Promise<OnnxProcess> {
    if (this.#process === null || this.#process.hasEnded()) await this.open()
    if (this.#process === null) throw new ModelError('unavailable', 'The model is not open.')
    return this.#process
  }

  async end(): Promise<void> {
    this.#ended = true
    await this.#process?.end()
  }
}

function filesOf({ modelFile, dataFiles, tokenizerFile, tokenizerConfigFile }: ModelFolder): string[] {
  return [modelFile, ...dataFiles, tokenizerFile, ...(tokenizerConfigFile === null ? [] : [tokenizerConfigFile])]
}

/** Maximum padded characters and texts of one batch. A question waits for at most one batch. */
export type GroupLimits = { characters: number; texts: number }

/**
 * Groups texts of similar length into batches, because each text is padded to the longest. Returns their indexes. Only
 * a single text may exceed the limit.
 */
export function groupTexts(texts: readonly string[], { characters, texts: most }: GroupLimits): number[][] {
  const lengthOf = (place: number) => texts[place]?.length ?? 0
  const groups: number[][] = []
  for (const place of [...texts.keys()].toSorted((a, b) => lengthOf(a) - lengthOf(b))) {
    const group = groups.at(-1)
    // Texts are sorted by length, so this one is the longest.
    if (group && group.length < most && lengthOf(place) * (group.length + 1) <= characters) group.push(place)
    else groups.push([place])
  }
  return groups
}
