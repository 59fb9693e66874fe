import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { createTimedIds } from '#lib/ids.ts'
import { monthOf } from '#lib/month.ts'
import type { Store } from '#store/db.ts'
import { createCallCounter } from '#store/calls/count-calls.ts'
import { foldLateCalls } from '#store/calls/fold-citations.ts'
import { addCalls } from '#store/calls/monthly-calls.ts'
import { StoreUnavailableError } from '#store/engine/store-unavailable.ts'
import { type LoggedRow, areWritten, writeCalls } from '#store/calls/write-calls.ts'
import { clipArguments, clipName, clipText, queryOf, redactArguments } from './clip.ts'
import { LATE_CALL_MS } from './fold-citations.ts'
import type { Redact } from './redact.ts'

/** A tool call as reported by the endpoint. */
export type FinishedCall = {
  tool: string
  /** The server has no tool of this name. The name is client text, and the account is not charged for the call. */
  isUnknown?: true
  arguments: unknown
  client: { name: string; version: string | null } | null
  status: 'ok' | 'error'
  durationMs: number
  error?: string
  citations: readonly { sourceId: string; url: string; title: string; rank: number; score: number }[]
  confidence?: string
  /** The widget that asked. Absent for MCP clients. */
  attribution?: Attribution
  /** Ids of the searched segments. */
  segments: readonly string[]
  /** Removes texts that the server's owner does not want to store. */
  redact?: Redact | null
}

export type Attribution = {
  /** The widget configuration that asked. */
  configurationId: string
  /** The developer's id of the user, if an attribution token named one. */
  endUserId: string | null
  /** Id of the call, which the widget knows already. */
  callId: string
}

/**
 * A node that dies loses the calls of the last second: half of it is the time of a write on a busy machine. A write per
 * call would cost more than the call.
 */
const FLUSH_MS = 500
/**
 * Calls per transaction. A full batch is written immediately. SQLite writes on this thread, at about 30 µs for a call
 * with five citations: a batch blocks other work for about 2 ms. The rows share a database file with everything else.
 */
const BATCH = 64
/** Maximum queued calls while the database is unavailable. The oldest are dropped first. */
const KEPT = 10_000
/** Maximum total size of the queued texts, in characters. One call can have ten thousand. */
const KEPT_CHARACTERS = 16_000_000
/** Size estimate of a call row and of each citation besides their texts, in characters. */
const [ROW, CITATION] = [300, 300]
/** Attempts before a batch is dropped. A batch that always fails would block the ones behind it. */
const TRIES = 120
/** Further attempts at shutdown. */
const LAST_TRIES = 3

/** The tool that answers with passages and no confidence. */
const SEARCH = 'search_docs'

const DAY_MS = 24 * 60 * 60 * 1000

/**
 * A queued call. Its arguments are clipped immediately because they can be megabytes. Its rows are built with the
 * batch.
 */
type Entry = {
  id: string
  serverId: string
  at: number
  arguments: string
  query: string | null
  call: Omit<FinishedCall, 'arguments' | 'redact'>
  countFor: string | null
  /** Characters. */
  size: number
}
type Deps = { store: Store; onError: (error: unknown) => void }

/** Records calls in batches, outside the request path. */
export class CallRecorder implements AsyncDisposable {
  readonly #store: Store
  readonly #onError: (error: unknown) => void
  readonly #newId = createTimedIds('call')
  readonly #countCalls = createCallCounter()
  readonly #waiting: Entry[] = []
  /** Calls whose write failed, retried unchanged: the commit may have succeeded although its answer was lost. */
  #retried: Entry[] = []
  /** Total size of the queued calls. */
  #characters = 0
  #failures = 0
  #writing: Promise<void> = Promise.resolve()
  #isFlushing = false
  readonly #timer: NodeJS.Timeout

  constructor({ store, onError }: Deps) {
    this.#store = store
    this.#onError = onError
    this.#timer = setInterval(() => {
      // No concurrent flushes: a hanging database can take longer than this interval to time out.
      if (this.#pending() > 0 && !this.#isFlushing) this.#flushLater()
    }, FLUSH_MS).unref()
  }

  /**
   * Queues the call and returns immediately. With `countFor`, also adds the call to that account's month. This serves
   * accounts without an allowance, whose calls need no count before the answer.
   */
  record(serverId: string, call: FinishedCall, countFor?: string): void {
    const at = this.#store.clock()
    const { arguments: given, ...rest } = redacted(call)
    const [args, query] = [clipArguments(given), queryOf(given)]
    const kept = rest.isUnknown ? { ...rest, tool: clipName(rest.tool) } : rest
    const counted = call.isUnknown ? null : (countFor ?? null)
    const size = ROW + args.length + (query?.length ?? 0) + (call.error?.length ?? 0) + CITATION * call.citations.length
    const id = call.attribution?.callId ?? this.#newId(at)
    this.#waiting.push({ id, serverId, at, arguments: args, query, call: kept, countFor: counted, size })
    this.#characters += size
    while (this.#waiting.length > KEPT || this.#characters > KEPT_CHARACTERS) {
      this.#characters -= this.#waiting.shift()?.size ?? 0
    }
    // Not during a flush, nor after a failed one: the timer retries that.
    if (this.#waiting.length >= BATCH && !this.#isFlushing && this.#failures === 0) this.#flushLater()
  }

  /** Resolves when all recorded calls are in the store. */
  flush(): Promise<void> {
    // One flush at a time, in order. A failed flush does not block the next.
    this.#isFlushing = true
    const next = this.#writing.then(async () => {
      while (this.#pending() > 0) {
        // Let pending requests go first.
        await setImmediate()
        await this.#writeBatch()
      }
    })
    this.#writing = next
      .catch(() => {})
      .then(() => {
        this.#isFlushing = false
      })
    return next
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer)
    for (let left = LAST_TRIES; ; left--) {
      try {
        return await this.flush()
      } catch (error) {
        if (left > 1) {
          await sleep(100)
          continue
        }
        const lost = this.#pending()
        return this.#onError(new Error(`${lost} calls could not be recorded before the end`, { cause: error }))
      }
    }
  }

  #pending(): number {
    return this.#retried.length + this.#waiting.length
  }

  /** The store reports outages itself. */
  #flushLater(): void {
    this.flush().catch((error: unknown) => {
      if (!(error instanceof StoreUnavailableError)) this.#onError(error)
    })
  }

  async #writeBatch(): Promise<void> {
    const isRetry = this.#retried.length > 0
    const batch = isRetry ? this.#retried : this.#waiting.splice(0, BATCH)
    if (!isRetry) this.#characters -= sum(batch)
    this.#retried = []
    try {
      await this.#writeAtOnce(batch, isRetry)
      this.#failures = 0
    } catch (error) {
      this.#failures += 1
      // An outage does not count against the batch, however long it lasts.
      if (this.#failures < TRIES || error instanceof StoreUnavailableError) {
        this.#retried = batch
        throw error
      }
      this.#failures = 0
      this.#onError(new Error(`${batch.length} calls could not be recorded`, { cause: error }))
    }
  }

  /** Writes a batch and its counts in one transaction. A retried batch may be written already. */
  async #writeAtOnce(batch: readonly Entry[], isRetry: boolean): Promise<void> {
    const ids = batch.map(({ id }) => id)
    await this.#store.transaction(async (tx) => {
      if (isRetry && (await areWritten(tx, ids))) return
      const rows = batch.map(callRow)
      await writeCalls(tx, rows, this.#countCalls)
      const late = rows.filter(({ at }) => at < this.#store.clock() - LATE_CALL_MS)
      if (late.length > 0) await foldLateCalls(tx, late)
      for (const { accountId, month, calls } of countMonths(batch)) await addCalls(tx, accountId, month, calls)
    })
  }
}

/** The call as it may be stored. */
function redacted({ redact, ...call }: FinishedCall): Omit<FinishedCall, 'redact'> {
  if (!redact) return call
  const given = redactArguments(redact, call.arguments)
  const error = call.error === undefined ? {} : { error: redact.text(call.error) }
  return { ...call, ...error, arguments: given, tool: call.isUnknown ? redact.text(call.tool) : call.tool }
}

const sum = (entries: readonly Entry[]): number => entries.reduce((total, { size }) => total + size, 0)

/** In a fixed order, so that concurrent nodes wait for each other instead of deadlocking. */
function countMonths(batch: readonly Entry[]): { accountId: string; month: string; calls: number }[] {
  const counts = new Map<string, { accountId: string; month: string; calls: number }>()
  for (const { at, countFor } of batch) {
    if (countFor === null) continue
    const { name: month } = monthOf(at)
    const key = `${countFor} ${month}`
    const calls = (counts.get(key)?.calls ?? 0) + 1
    counts.set(key, { accountId: countFor, month, calls })
  }
  return [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, count]) => count)
}

function callRow({ id, serverId, at, arguments: args, query, call }: Entry): LoggedRow {
  const { tool, isUnknown, client, status, durationMs, error, confidence, attribution, segments, citations } = call
  return {
    id,
    serverId,
    at,
    day: Math.floor(at / DAY_MS),
    tool,
    arguments: args,
    query,
    clientName: client && clipName(client.name),
    clientVersion: client?.version ? clipName(client.version) : null,
    status,
    durationMs,
    error: error === undefined ? null : clipText(error),
    confidence: confidence ?? null,
    segments: segments.join(' '),
    citations: citations.map(({ sourceId, url, title, rank, score }) => ({
      sourceId,
      url: clipText(url),
      title: clipText(title),
      rank,
      score,
    })),
    configurationId: attribution?.configurationId ?? null,
    endUserId: attribution?.endUserId ? clipText(attribution.endUserId) : null,
    unanswered: query !== null && isUnanswered(call) ? 1 : 0,
    ...(isUnknown ? { isUnknown } : {}),
  }
}

/** Answers with low confidence or none, and searches without a result. */
function isUnanswered({ tool, status, confidence, citations }: Entry['call']): boolean {
  if (status === 'error') return false
  return confidence === 'low' || confidence === 'none' || (tool === SEARCH && citations.length === 0)
}
