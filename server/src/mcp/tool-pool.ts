import { SECTION_CACHE_BYTES } from '#library/library.ts'
import { IMPACT_BYTES } from '#search/rank/impact-cache.ts'
import { TEXT_CACHE_BYTES } from '#search/retrieve.ts'
import type { LoadSegment } from '#search/segment-cache.ts'
import { SharedIndex } from '#search/shared-index.ts'
import type { ServedServer } from '#store/servers/served.ts'
import { StoreUnavailableError } from '#store/engine/store-unavailable.ts'
import { PoolError } from '#threads/pool-error.ts'
import { ThreadPool } from '#threads/thread-pool.ts'
import { DocentError } from '#errors.ts'
import type { ResultForm, SerialisedResult } from './serialised-result.ts'
import { ToolError } from './tool-error.ts'
import { createToolHost, type HostDeps } from './tool-host.ts'
import type { ToolOutcome, ToolPoolNote, ToolTask, ToolThreadData, ToolThreadNote } from './tool-tasks.ts'
import type { CallTrace, RecordedCall } from './trace-call.ts'

/** Runs tools outside the main thread. */
export type ToolPool = AsyncDisposable & {
  /** True if the server has reached its limit of concurrent calls. */
  isFull(server: ServedServer): boolean
  /**
   * Runs a tool of the server. Rejects with `ToolError` for caller-facing refusals, with `DocentError` (`503 too_busy`)
   * when too many calls wait, with the signal's reason, and with the errors of the host.
   */
  call(
    server: ServedServer,
    call: { tool: string; args: unknown; form: ResultForm },
    signal?: AbortSignal,
  ): Promise<SerialisedResult>
  /** Repeats a recorded call with search explanations. */
  trace(server: ServedServer, call: RecordedCall): Promise<CallTrace>
}

export type ToolPoolOptions = Omit<HostDeps, 'loadSegment'> & {
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
/** Opens the pool. Threads start on the first calls. */
export function openToolPool(options: ToolPoolOptions): ToolPool {
  const { threads, embeddingModel, segmentBytes, loadSegment, findServed, program, ...rest } = options
  const { deadlineMs, queueLimit, forgetEveryMs = FORGET_EVERY_MS, ...host } = rest
  const data: ToolThreadData = {
    embeddingModel,
    segmentBytes,
    textCacheBytes: Math.floor(TEXT_CACHE_BYTES / threads),
    sectionCacheBytes: Math.floor(SECTION_CACHE_BYTES / threads),
  }
  const index = new SharedIndex({
    load: loadSegment,
    segmentBytes,
    impactBytes: IMPACT_BYTES,
    threads,
    onForget: (forget) => pool.broadcast({ forget } satisfies ToolPoolNote),
  })
  const pool = new ThreadPool<ToolTask, ToolOutcome>({
    program: program ?? new URL('./tool-worker.ts', import.meta.url),
    data,
    threads,
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
  let forgetting = Promise.resolve()
  const forgetReplaced = () => {
    forgetting = forgetting
      .then(() => index.forgetReplaced(findServed))
      .catch((error: unknown) => {
        if (!(error instanceof StoreUnavailableError)) host.reportFailure(error)
      })
  }
  const timer = setInterval(forgetReplaced, forgetEveryMs).unref()
  const hostDeps: HostDeps = { ...host, loadSegment: (id) => index.segment(id) }

  const numbers = new WeakMap<ServedServer, number>()
  let lastNumber = 0
  const numberOf = (server: ServedServer): number => {
    const known = numbers.get(server)
    if (known !== undefined) return known
    numbers.set(server, ++lastNumber)
    return lastNumber
  }

  const run = async (server: ServedServer, task: ToolTask, signal?: AbortSignal): Promise<ToolOutcome> => {
    for (const { segments } of server.sources) index.useSegments(segments)
    const answers = createToolHost(hostDeps, server)
    try {
      return await pool.run({ task, queue: server.id, owner: server.accountId, ask: answers.ask, signal })
    } catch (error) {
      // The error lost its class in the thread.
      if (answers.failure() instanceof StoreUnavailableError) throw answers.failure()
      throw error instanceof PoolError ? toldError(error) : error
    } finally {
      // Manually, because V8 does not optimize functions with `using`.
      await answers[Symbol.asyncDispose]()
    }
  }

  return {
    isFull: ({ id }) => pool.isFull(id),
    async call(server, call, signal) {
      const hasModel = host.modelFor(server) !== null
      const outcome = await run(server, { kind: 'call', server: numberOf(server), ...call, hasModel }, signal)
      if ('refused' in outcome) throw new ToolError(outcome.refused.reason, outcome.refused.message)
      if ('result' in outcome) return outcome.result
      throw new TypeError('A call gives a result.')
    },
    async trace(server, call) {
      const outcome = await run(server, { kind: 'trace', server: numberOf(server), call })
      if ('trace' in outcome) return outcome.trace
      throw new TypeError('A trace gives a trace.')
    },
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await Promise.all([forgetting, pool.close()])
    },
  }
}

/** Retry-After in seconds for a call that was refused because of too many others. */
const RETRY_AFTER_S = 1

export function busyError(): DocentError {
  return new DocentError('too_busy', { headers: { 'retry-after': String(RETRY_AFTER_S) } })
}

function toldError(error: PoolError): Error {
  switch (error.reason) {
    case 'busy':
      return busyError()
    case 'deadline':
      return new ToolError('failed', 'The call took too long and was ended. Ask for less, or name one source.')
    case 'memory':
      return new ToolError('failed', 'The call took too much memory and was ended. Ask for less, or name one source.')
    default:
      return error
  }
}
