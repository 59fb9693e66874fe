import type { ReportProgress } from '../definition/tool.ts'
import { SECTION_CACHE_BYTES } from '#documents/library.ts'
import { programAt } from '#lib/place.ts'
import { IMPACT_BYTES } from '#search/rank/impact-cache.ts'
import { TEXT_CACHE_BYTES } from '#search/retrieve.ts'
import type { LoadSegment } from '#search/segment/open-segment.ts'
import { SharedIndex } from '#search/shared-index.ts'
import type { ServedServer } from '#store/servers/served.ts'
import { StoreUnavailableError } from '#store/engine/outages.ts'
import { PoolError } from '#workers/pool-worker.ts'
import { openThreadPool } from '#workers/threads.ts'
import type { WorkerPool } from '#workers/worker-pool.ts'
import { DocentError } from '#errors.ts'
import { type ResultForm, type SerialisedResult, ToolError } from '../definition/tool-result.ts'
import { createToolHost, type HostDeps } from './tool-host.ts'
import type { ToolOutcome, ToolPoolNote, ToolTask, ToolTasks, ToolThreadData, ToolThreadNote } from './tool-worker.ts'

type ToolCall = { tool: string; args: unknown; form: ResultForm }
type ToolCaller = { signal?: AbortSignal | undefined; report?: ReportProgress | undefined }

type ToolPoolOptions = Omit<HostDeps, 'loadSegment'> & {
  loadSegment: LoadSegment
  /** Filters segment ids to those in the current version of a live server's source. */
  findServed(ids: readonly string[]): Promise<ReadonlySet<string>>
  embeddingModel: string | null
  /** Memory limit for segments, in bytes. */
  segmentBytes: number
  threads: number
  /** For tests. */
  program?: URL
  deadlineMs?: number
  queueLimit?: number
  forgetEveryMs?: number
}

/** Heap of one thread in MB. A search needs a few; reading a whole source needs several dozen. */
const HEAP_MB = 256
/** As in the main thread. A larger young generation saves little time and costs memory in each thread. */
const YOUNG_MB = 24
/** Interval at which replaced segments are dropped from memory. Its store query takes a millisecond. */
const FORGET_EVERY_MS = 30_000

/** Runs tools outside the main thread. Threads start on the first calls. */
export class ToolPool implements AsyncDisposable {
  readonly #host: HostDeps
  readonly #index: SharedIndex
  readonly #pool: WorkerPool<ToolTask, ToolOutcome>
  readonly #timer: NodeJS.Timeout
  #forgetting = Promise.resolve()
  readonly #numbers = new WeakMap<ServedServer, number>()
  #lastNumber = 0

  constructor(options: ToolPoolOptions) {
    const { threads, segmentBytes, findServed, forgetEveryMs = FORGET_EVERY_MS } = options
    this.#index = new SharedIndex({
      load: options.loadSegment,
      segmentBytes,
      impactBytes: IMPACT_BYTES,
      threads,
      onForget: (forget) => this.#pool.broadcast({ forget } satisfies ToolPoolNote),
    })
    this.#host = { ...options, loadSegment: (id) => this.#index.segment(id) }
    this.#pool = openThreads(options, this.#index)
    this.#timer = setInterval(() => this.#forgetReplaced(findServed), forgetEveryMs).unref()
  }

  /** Running threads, and bytes of what they share. */
  get size(): { threads: number; indexBytes: number } {
    return { threads: this.#pool.size, indexBytes: this.#index.bytes }
  }

  /** True if the server has reached its limit of concurrent calls. */
  isFull({ id }: ServedServer): boolean {
    return this.#pool.isFull(id)
  }

  /**
   * Runs a tool of the server. Rejects with `ToolError` for caller-facing refusals, with `DocentError` (`503 too_busy`)
   * when too many calls wait, with the signal's reason, and with the errors of the host.
   */
  async call(server: ServedServer, call: ToolCall, { signal, report }: ToolCaller = {}): Promise<SerialisedResult> {
    const hasModel = this.#host.modelFor(server) !== null
    const task = { ...call, hasModel, reports: report !== undefined }
    return this.run(server, 'call', task, { signal, report })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer)
    await Promise.all([this.#forgetting, this.#pool[Symbol.asyncDispose]()])
  }

  /** Runs another task of a thread. Rejects as `call` does. */
  async run<Kind extends keyof ToolTasks>(
    server: ServedServer,
    kind: Kind,
    input: ToolTasks[Kind]['input'],
    { signal, report }: ToolCaller = {},
  ): Promise<ToolTasks[Kind]['result']> {
    for (const { segments } of server.sources) this.#index.useSegments(segments)
    const answers = createToolHost(this.#host, server, report)
    // TypeScript cannot link input and result to the kind.
    const task = { kind, server: this.#numberOf(server), ...input } as ToolTask
    const queue = { queue: server.id, owner: server.accountId }
    let outcome: ToolOutcome
    try {
      outcome = await this.#pool.run({ task, ...queue, ask: answers.ask, signal })
    } catch (error) {
      // The error lost its class in the thread.
      throw answers.outage() ?? (error instanceof PoolError ? toldError(error) : error)
    } finally {
      // Manually, because V8 does not optimize functions with `using`.
      await answers[Symbol.asyncDispose]()
    }
    if ('refused' in outcome) {
      const { reason, message } = outcome.refused
      throw (reason === 'failed' ? answers.outage() : null) ?? new ToolError(reason, message)
    }
    return outcome.result
  }

  #numberOf(server: ServedServer): number {
    const number = this.#numbers.get(server) ?? ++this.#lastNumber
    this.#numbers.set(server, number)
    return number
  }

  #forgetReplaced(findServed: ToolPoolOptions['findServed']): void {
    this.#forgetting = this.#forgetting
      .then(() => this.#index.forgetReplaced(findServed))
      .catch((error: unknown) => {
        if (!(error instanceof StoreUnavailableError)) this.#host.reportFailure(error)
      })
  }
}

function openThreads(options: ToolPoolOptions, index: SharedIndex): WorkerPool<ToolTask, ToolOutcome> {
  const { threads, embeddingModel, segmentBytes, program, deadlineMs, queueLimit } = options
  const data: ToolThreadData = {
    embeddingModel,
    segmentBytes,
    textCacheBytes: Math.floor(TEXT_CACHE_BYTES / threads),
    sectionCacheBytes: Math.floor(SECTION_CACHE_BYTES / threads),
  }
  return openThreadPool({
    program: program ?? programAt('mcp/threads/tool-worker'),
    data,
    workers: threads,
    limits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: YOUNG_MB },
    ...(deadlineMs === undefined ? {} : { deadlineMs }),
    ...(queueLimit === undefined ? {} : { queueLimit }),
    onNote(note: ToolThreadNote, { others, back }) {
      if ('used' in note) return index.useImpacts(note.used)
      const { key, impacts, segments } = note.made
      const kept = index.addImpacts(key, impacts, segments)
      const made: ToolPoolNote = { made: { key, impacts: kept } }
      if (kept === impacts) others(made)
      else back(made)
    },
  })
}

export function busyError(): DocentError {
  return new DocentError('too_busy', { headers: { 'retry-after': '1' } })
}

function toldError(error: PoolError): Error {
  switch (error.reason) {
    case 'full':
      return busyError()
    case 'deadline':
      return new ToolError('failed', 'The call took too long and was ended. Ask for less, or name one source.')
    case 'memory':
      return new ToolError('failed', 'The call took too much memory and was ended. Ask for less, or name one source.')
    default:
      return error
  }
}
