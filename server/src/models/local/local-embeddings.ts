import { ConfigError } from '#config.ts'
import { programAt } from '#lib/place.ts'
import type { OnnxRuntime } from '#lib/settings.ts'
import { CHILD_DEFAULTS, TaskFault, openChild } from '#workers/children.ts'
import { ProcessExit } from '#workers/child-process.ts'
import { type Listener, PoolError, type Transport } from '#workers/pool-worker.ts'
import { WorkerPool } from '#workers/worker-pool.ts'
import type { EmbeddingModel, Embedded, EmbedOptions } from '../embedding-model.ts'
import { ModelError } from '../chat-model.ts'
import type { OpenedModel } from './onnx-model.ts'
import type { EmbedTask, OnnxTask } from './onnx-worker.ts'
import { findOnnxRuntime, type ModelFolder, readModelFolder } from './read-model-folder.ts'

export type LocalEmbeddings = EmbeddingModel & AsyncDisposable & { dimensions: number }

export type LocalLimits = {
  /** Milliseconds to open the model, and to embed one batch of texts. */
  openMs: number
  groupMs: number
  /** Megabytes of the whole process. Null: derived from the model size. */
  memoryMb: number | null
}

const LIMITS: LocalLimits = { openMs: 120_000, groupMs: 60_000, memoryMb: null }
/** Most padded characters and texts of a batch: about 256 tokens. A question waits for one batch; larger ones are no faster. */
const GROUP = { characters: 1_000, texts: 16 }
/** The largest vocabularies, of 250,000 words, take half of it while they are parsed. */
const HEAP_MB = 1_024
/** Memory for program and texts, and copies of the model file while loading: 90 MB used at most 670 MB. */
const MEMORY_MB = 768
const COPIES = 4

/** The whole environment. Native runtimes since 1.29 send telemetry, which this variable disables on load. */
const NATIVE = { environment: { ORT_DISABLE_TELEMETRY: '1', MALLOC_ARENA_MAX: '1' } }

/**
 * Opens a local embedding model in a child process that lives as long as the service. A crash or excessive resource use
 * ends this process only, and the next text restarts it. Questions have priority over passages, and one batch runs at a
 * time. Throws `ConfigError` if the model is unusable.
 */
export async function openLocalEmbeddings(
  { path, runtime }: { path: string; runtime?: OnnxRuntime },
  limits: LocalLimits = LIMITS,
): Promise<LocalEmbeddings> {
  const folder = readModelFolder(path)
  const packages = runtime ?? findOnnxRuntime()
  const memoryMb = limits.memoryMb ?? MEMORY_MB + (COPIES * folder.modelBytes) / 1e6
  const start: Start = { folder, packages, memoryMb, openMs: limits.openMs, first: null }
  const pool = new WorkerPool<EmbedTask, Embedded>({
    ...CHILD_DEFAULTS,
    deadlineMs: limits.groupMs,
    retries: false,
    open: (listener) => openModelProcess(start, listener),
  })
  const embedGroup = async (task: EmbedTask, signal: AbortSignal): Promise<Embedded> => {
    try {
      return await pool.run({ task, queue: task.kind, isUrgent: task.kind === 'question', signal })
    } catch (error) {
      throw signal.aborted && error === signal.reason ? whyOver(signal) : toModelError(error, limits.groupMs, memoryMb)
    }
  }
  try {
    await embedGroup({ texts: [], kind: 'passage' }, new AbortController().signal)
  } catch (error) {
    await pool[Symbol.asyncDispose]()
    if (!(error instanceof ModelError)) throw error
    throw new ConfigError(`The model that DOCENT_EMBEDDINGS_MODEL names cannot be used (${path}). ${error.message}`, {
      cause: error,
    })
  }
  const { fingerprint = '', dimensions = 0 } = start.first ?? {}
  return {
    name: `local:${folder.name}:${fingerprint.slice(0, 16)}`,
    dimensions,
    async embed(texts, { signal, totalMs, kind = 'passage' }: EmbedOptions = {}) {
      const time = totalMs === undefined ? [] : [AbortSignal.timeout(totalMs)]
      const either = AbortSignal.any([...(signal ? [signal] : []), ...time])
      const vectors = new Array<Float32Array>(texts.length)
      let tokens = 0
      for (const group of groupTexts(texts, GROUP)) {
        const given = await embedGroup({ texts: group.map((place) => texts[place] ?? ''), kind }, either)
        for (const [at, place] of group.entries()) vectors[place] = given.vectors[at] ?? new Float32Array()
        tokens += given.tokens
      }
      return { vectors, tokens }
    },
    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  }
}

function whyOver({ reason }: AbortSignal): ModelError {
  const isTime = reason instanceof DOMException && reason.name === 'TimeoutError'
  if (isTime) return new ModelError('timeout', 'The model of this machine did not answer in time.')
  return new ModelError('aborted', 'The question was cancelled.', { cause: reason })
}

function toModelError(error: unknown, totalMs: number, memoryMb: number): ModelError {
  if (error instanceof ModelError) return error
  if (error instanceof TaskFault && !(error.cause instanceof ProcessExit))
    return new ModelError('malformed', error.cause instanceof Error ? error.cause.message : String(error.cause))
  const reason = error instanceof PoolError ? error.reason : null
  if (reason === 'closed') return new ModelError('aborted', 'The service is ending.')
  if (reason === 'deadline') return new ModelError('timeout', `It took more than ${totalMs / 1000} seconds.`)
  const ended = reason === 'ended' ? 'Its process was ended from outside.' : 'Its process ended.'
  const sentence = reason === 'memory' ? `It took more than ${Math.round(memoryMb)} MB.` : ended
  return new ModelError('unavailable', sentence, { cause: error })
}

type Start = {
  folder: ModelFolder
  packages: OnnxRuntime
  memoryMb: number
  openMs: number
  /** The model as opened first. */
  first: OpenedModel | null
}

/** Starts a process, which takes texts once it has loaded the model. Elapsed time counts for its deadlines. */
function openModelProcess(start: Start, { onMessage, onEnd }: Listener): Transport | null {
  const { folder, packages, memoryMb, openMs } = start
  const opening: OnnxTask = { folder, runtime: packages }
  const slow = setTimeout(() => onEnd(toModelError(new PoolError('deadline'), openMs, memoryMb)), openMs)
  const onOpened = (model: OpenedModel) => {
    start.first ??= model
    child?.setBusy(false)
    if (model.fingerprint === start.first.fingerprint) return onMessage({ type: 'ready' })
    // Otherwise its vectors would be compared with those of the old model.
    return onEnd(new ModelError('refused', 'The files of the model have changed. The service has to be started again.'))
  }
  let isOpen = false
  const listener: Listener = {
    onEnd,
    onMessage(message) {
      if (isOpen) return onMessage(message)
      isOpen = true
      clearTimeout(slow)
      if (message.type === 'done') onOpened(message.value as OpenedModel)
      else if (message.type === 'failed') onEnd(toModelError(message.error, openMs, memoryMb))
    },
  }
  const program = programAt('models/local/onnx-worker')
  const native = packages.isNative ? { native: NATIVE } : {}
  const limits = { heapMb: HEAP_MB, memoryMb, reads: filesOf(folder), loadsPackages: true }
  const child = openChild({ program, ...limits, ...native }, listener, false)
  if (child === null) return null
  child.setBusy(true)
  child.post({ type: 'task', id: 0, task: opening })
  const end = async () => {
    clearTimeout(slow)
    await child.end()
  }
  return { ...child, startsReady: false, cpuMs: () => null, end }
}

function filesOf({ modelFile, dataFiles, tokenizerFile, tokenizerConfigFile }: ModelFolder): string[] {
  return [modelFile, ...dataFiles, tokenizerFile, ...(tokenizerConfigFile === null ? [] : [tokenizerConfigFile])]
}

/** Groups texts of similar length, padded to the longest of a batch. Only a single text may exceed the limit. */
export function groupTexts(texts: readonly string[], { characters, texts: most }: typeof GROUP): number[][] {
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
