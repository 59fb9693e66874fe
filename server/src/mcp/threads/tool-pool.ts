import { crc32 } from 'node:zlib'
import type { ReportProgress } from '../definition/tool.ts'
import { SECTION_CACHE_BYTES } from '#documents/library.ts'
import { programAt } from '#lib/place.ts'
import { ByteCache } from '#search/byte-cache.ts'
import { IMPACT_BYTES } from '#search/rank/impact-cache.ts'
import { TEXT_CACHE_BYTES } from '#search/retrieve.ts'
import { SharedIndex, type SharedIndexOptions } from '#search/shared-index.ts'
import type { ServedServer } from '#store/servers/served.ts'
import { StoreUnavailableError } from '#store/engine/outages.ts'
import { releaseHeap } from '#workers/idle-memory.ts'
import { PoolError } from '#workers/pool-worker.ts'
import { openThreadPool, type ThreadPoolOptions } from '#workers/threads.ts'
import type { WorkerPool } from '#workers/worker-pool.ts'
import { DocentError } from '#errors.ts'
import { type ResultForm, type SerialisedResult, ToolError } from '../definition/tool-result.ts'
import { createToolHost, type HostDeps } from './tool-host.ts'
import { MainThreadSearches } from './main-thread-searches.ts'
import type { ToolOutcome, ToolPoolNote, ToolTask, ToolTasks, ToolThreadData, ToolThreadNote } from './tool-runner.ts'

type ToolCall = { tool: string; args: unknown; form: ResultForm }
type ToolCaller = { signal?: AbortSignal | undefined; report?: ReportProgress | undefined }

type ToolPoolOptions = Omit<HostDeps, 'openSegment' | 'readSegment'> & {
  loadSegment: SharedIndexOptions['load']
  /** Bytes of segments, which it does not load. */
  sizeOf(ids: readonly string[]): Promise<number>
  /** Filters segment ids to those in the current version of a live server's source. */
  findServed(ids: readonly string[]): Promise<ReadonlySet<string>>
  embeddingModel: string | null
  /** Memory limit for segments, in bytes. */
  segmentBytes: number
  threads: number
  /** Keeps a thread ready, because the first search of a server waits for its index already. */
  isPrepared?: boolean
  /** Lets requests of a call belong to its trace. Absent: there are no traces. */
  bind?: (<F extends (...args: never[]) => unknown>(work: F) => F) | undefined
  /** For tests. */
  program?: URL
  deadlineMs?: number
  queueLimit?: number
  forgetEveryMs?: number
}

/** Heap of one thread in MB. A search needs a few; reading a whole source needs several dozen. */
const HEAP_MB = 256
/** Searches and answers take the same time with semi-spaces of 2, 4, 8 and 16 MB: this is three of 4 MB. */
const YOUNG_MB = 12
/** A thread keeps about 50 MB, and starts within 200 ms. */
const IDLE_MS = 600_000
/** A client is alone when no calls have overlapped for that long. Then its searches run in the main thread. */
const ALONE_MS = 1_000
/** Seconds in which most indexes are rebuilt. */
const REBUILT_SECONDS = '60'
/** Interval at which replaced segments are dropped from memory. Its store query takes a millisecond. */
const FORGET_EVERY_MS = 30_000
/** Room for some 700 answers to searches, in bytes. */
export const ANSWER_BYTES = 5_000_000
/** Recent searches of which a node knows that they were asked before. */
const RECENT = 4_096
/** An answer besides its text: five citations. */
const ANSWER_FRAME_BYTES = 2_000
/** Answers expire when nobody has asked for them for that many intervals of `forgetEveryMs`. */
const ANSWER_ROUNDS = 4
/** Time after which the rest of a large segment is read: its first search has ended by then. */
const COMPLETE_MS = 1_000

/** Runs tools: cheap searches of a lone client in the main thread, all else in threads, which start on its first call. */
export class ToolPool implements AsyncDisposable {
  readonly #host: HostDeps & Pick<ToolPoolOptions, 'sizeOf' | 'embeddingModel'>
  readonly #index: SharedIndex
  readonly #pool: WorkerPool<ToolTask, ToolOutcome>
  readonly #here: MainThreadSearches
  readonly #bind: ToolPoolOptions['bind']
  readonly #timer: NodeJS.Timeout
  readonly #answers = new ByteCache<SerialisedResult>(ANSWER_BYTES)
  /** Hashes of recent keys of answers. */
  readonly #asked = new Uint32Array(RECENT)
  #forgetting = Promise.resolve()
  /** Ids of segments whose rest is to be read, and the timer for it. */
  readonly #partial = new Set<string>()
  #completeTimer: NodeJS.Timeout | undefined
  #completing = Promise.resolve()
  readonly #numbers = new WeakMap<ServedServer, number>()
  #lastNumber = 0
  /** Number of tasks under way, and when there last were several. */
  #open = 0
  #sharedAt = -Infinity

  constructor(options: ToolPoolOptions) {
    const { threads, segmentBytes, findServed, forgetEveryMs = FORGET_EVERY_MS } = options
    this.#index = new SharedIndex({
      load: options.loadSegment,
      segmentBytes,
      impactBytes: IMPACT_BYTES,
      threads: threads + 1,
      onForget: (forget) => this.#tellAll({ forget }),
    })
    this.#bind = options.bind
    this.#host = {
      ...options,
      openSegment: (id) => this.#openSegment(id),
      readSegment: (id, ranges) => this.#index.read(id, ranges),
    }
    const data = threadData(options)
    this.#pool = openThreads(options, data, (note: ToolThreadNote, { others, back }) => {
      const made = this.#keep(note)
      if (made?.isNew) this.#here.onNote(made.note)
      if (made) (made.isNew ? others : back)(made.note)
    })
    this.#here = new MainThreadSearches(data, (note) => {
      const made = this.#keep(note)
      if (made?.isNew) this.#pool.broadcast(made.note)
      else if (made) this.#here.onNote(made.note)
    })
    this.#timer = setInterval(() => {
      this.#answers.deleteUnused(ANSWER_ROUNDS)
      this.#forgetReplaced(findServed)
    }, forgetEveryMs).unref()
  }

  /** Running threads, and bytes of what they share. */
  get size(): { threads: number; indexBytes: number; indexReads: number } {
    return { threads: this.#pool.size, indexBytes: this.#index.bytes, indexReads: this.#index.reads }
  }

  /** Returns unused memory of this process to the system. */
  releaseMemory(): void {
    this.#tellAll({ rest: true })
    releaseHeap()
  }

  /** True if the server has reached its limit of concurrent calls. */
  isFull({ id }: ServedServer): boolean {
    return this.#pool.isFull(id)
  }

  /**
   * Runs a tool of the server. Rejects with `ToolError` for caller-facing refusals, with `DocentError` (503) when too many
   * calls wait or an index must be rebuilt first, with the signal's reason, and with the errors of the host.
   */
  async call(server: ServedServer, call: ToolCall, { signal, report }: ToolCaller = {}): Promise<SerialisedResult> {
    const key = this.#keyOf(server, call)
    const known = key === null ? undefined : this.#answers.get(key)
    if (known) return known
    const hasModel = this.#host.modelFor(server) !== null
    const task = { ...call, hasModel, reports: report !== undefined }
    const result = await this.run(server, 'call', task, { signal, report })
    if (key !== null && this.#isAskedAgain(key))
      this.#answers.set(key, result, 2 * key.length + result.members.byteLength + ANSWER_FRAME_BYTES)
    return result
  }

  /** Answers that are asked for once would only be promoted to the old generation: a tenth more processor time. */
  #isAskedAgain(key: string): boolean {
    const hash = crc32(key)
    const slot = hash % this.#asked.length
    if (this.#asked[slot] === hash) return true
    this.#asked[slot] = hash
    return false
  }

  /**
   * Identifies an answer that depends on nothing but the row of the server and the arguments. Null for others, such as
   * those with ages of pages, with vectors of a provider, or by rules, which can depend on the date.
   */
  #keyOf(server: ServedServer, { tool, args, form }: ToolCall): string | null {
    const isFixed = tool === 'search_docs' && !form.structured && server.rules === undefined
    return isFixed && this.#host.embeddingModel === null ? `${this.#numberOf(server)} ${JSON.stringify(args)}` : null
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer)
    clearTimeout(this.#completeTimer)
    await Promise.all([this.#forgetting, this.#completing, this.#pool[Symbol.asyncDispose]()])
  }

  /** Runs another task of a thread. Rejects as `call` does. */
  async run<Kind extends keyof ToolTasks>(
    server: ServedServer,
    kind: Kind,
    input: ToolTasks[Kind]['input'],
    { signal, report }: ToolCaller = {},
  ): Promise<ToolTasks[Kind]['result']> {
    const ids = server.sources.flatMap(({ segments }) => segments)
    const inMemory = this.#index.useSegments(ids)
    const answers = createToolHost(this.#host, server, report)
    const ask = this.#bind?.(answers.ask) ?? answers.ask
    // TypeScript cannot link input and result to the kind.
    const task = { kind, server: this.#numberOf(server), ...input } as ToolTask
    let outcome: ToolOutcome
    this.#open += 1
    this.#noteOthers(1)
    try {
      const mayBeHere = this.#isAlone && this.#here.isCheap(task) && (await this.#areSmall(ids, inMemory))
      outcome =
        mayBeHere && (await this.#staysAlone())
          ? await this.#here.run(task, ask, signal)
          : await this.#pool.run({ task, queue: server.id, owner: server.accountId, ask, signal })
    } catch (error) {
      // The error lost its class in the thread.
      throw answers.outage() ?? (error instanceof PoolError ? toldError(error) : error)
    } finally {
      this.#open -= 1
      this.#noteOthers(0)
      // Manually, because V8 does not optimize functions with `using`.
      await answers[Symbol.asyncDispose]()
    }
    if ('refused' in outcome) {
      const { reason, message } = outcome.refused
      if (reason === 'later')
        throw new DocentError('store_unavailable', { text: message, headers: { 'retry-after': REBUILT_SECONDS } })
      throw (reason === 'failed' ? answers.outage() : null) ?? new ToolError(reason, message)
    }
    return outcome.result
  }

  #noteOthers(own: number): void {
    if (this.#open > own) this.#sharedAt = performance.now()
  }

  get #isAlone(): boolean {
    return performance.now() - this.#sharedAt > ALONE_MS
  }

  async #areSmall(segmentIds: readonly string[], inMemory: number): Promise<boolean> {
    if (!Number.isNaN(inMemory)) return this.#here.areSmall(inMemory)
    if (this.#here.areSmall(await this.#host.sizeOf(segmentIds)))
      return this.#here.areSmall(await this.#index.bytesOf(segmentIds))
    // They arrive while the thread starts, which asks for them again and then gets their errors.
    this.#index.bytesOf(segmentIds).catch(() => null)
    return false
  }

  async #staysAlone(): Promise<boolean> {
    // Calls that have arrived together are counted by then.
    await new Promise(setImmediate)
    return this.#isAlone
  }

  async #openSegment(id: string): ReturnType<SharedIndex['segment']> {
    const opened = await this.#index.segment(id)
    if (opened?.isWhole === false) {
      this.#partial.add(id)
      this.#completeTimer ??= setTimeout(() => this.#complete(), COMPLETE_MS).unref()
    }
    return opened
  }

  #complete(): void {
    const ids = [...this.#partial]
    this.#partial.clear()
    this.#completeTimer = undefined
    // Errors are those of the store, which reports them. A later call reads the segment again.
    this.#completing = this.#completing.then(() => this.#index.complete(ids)).catch(() => undefined)
  }

  #numberOf(server: ServedServer): number {
    const number = this.#numbers.get(server) ?? ++this.#lastNumber
    this.#numbers.set(server, number)
    return number
  }

  #tellAll(note: ToolPoolNote): void {
    this.#pool.broadcast(note)
    this.#here.onNote(note)
  }

  /** Keeps impacts that a thread made. Returns what to tell all others, or the maker if other impacts were kept before. */
  #keep(note: ToolThreadNote): { note: ToolPoolNote; isNew: boolean } | null {
    if ('used' in note) return (this.#index.useImpacts(note.used), null)
    const { key, impacts, segments } = note.made
    const kept = this.#index.addImpacts(key, impacts, segments)
    return { note: { made: { key, impacts: kept } }, isNew: kept === impacts }
  }

  #forgetReplaced(findServed: ToolPoolOptions['findServed']): void {
    this.#forgetting = this.#forgetting
      .then(() => this.#index.forgetReplaced(findServed))
      .catch((error: unknown) => {
        if (!(error instanceof StoreUnavailableError)) this.#host.reportFailure(error)
      })
  }
}

function threadData({ threads, embeddingModel, segmentBytes }: ToolPoolOptions): ToolThreadData {
  const shares = threads + 1
  return {
    embeddingModel,
    segmentBytes,
    textCacheBytes: Math.floor(TEXT_CACHE_BYTES / shares),
    sectionCacheBytes: Math.floor(SECTION_CACHE_BYTES / shares),
  }
}

function openThreads(
  { threads, isPrepared, program, deadlineMs, queueLimit }: ToolPoolOptions,
  data: ToolThreadData,
  onNote: ThreadPoolOptions['onNote'],
): WorkerPool<ToolTask, ToolOutcome> {
  return openThreadPool({
    program: program ?? programAt('mcp/threads/tool-worker'),
    data,
    workers: threads,
    limits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: YOUNG_MB },
    idleAfterMs: IDLE_MS,
    isPrepared,
    ...(deadlineMs === undefined ? {} : { deadlineMs }),
    ...(queueLimit === undefined ? {} : { queueLimit }),
    onNote,
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
