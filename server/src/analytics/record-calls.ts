import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { createTimedIds } from '#lib/ids.ts'
import { monthOf } from '#lib/month.ts'
import type { Store } from '#store/db.ts'
import { addCalls } from '#store/calls/monthly-calls.ts'
import { StoreUnavailableError } from '#store/engine/store-unavailable.ts'
import { type CitationRow, type LoggedRow, areWritten, writeCalls } from '#store/calls/write-calls.ts'
import { clipArguments, clipName, clipText, queryOf } from './clip.ts'

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
  /** Ids of the searched segments. */
  segments: readonly string[]
}

export type CallRecorder = AsyncDisposable & {
  /**
   * Queues the call and returns immediately. With `countFor`, also adds the call to that account's month. This serves
   * accounts without an allowance, whose calls need no count before the answer.
   */
  record(serverId: string, call: FinishedCall, countFor?: string): void
  /** Resolves when all recorded calls are in the store. */
  flush(): Promise<void>
}

/** Bounds the loss when a node dies. The log is informational, and a write per call would cost more than the call. */
const FLUSH_MS = 1_000
/**
 * Calls per transaction. A full batch is written immediately. SQLite writes on this thread, at 40 µs for a call with
 * five citations: a batch blocks other work for at most 1.5 ms. The rows share a database file with everything else.
 */
const BATCH = 32
/** Maximum queued calls while the database is unavailable. The oldest are dropped first. */
const KEPT = 10_000
/** Maximum total size of the queued texts, in characters. One call can have ten thousand. */
const KEPT_CHARACTERS = 16_000_000
/** Size estimate of a call row and of each citation besides their texts, in characters. */
const [ROW, CITATION] = [300, 300]
/** Attempts before a batch is dropped. A batch that always fails would block the ones behind it. */
const TRIES = 60
/** Further attempts at shutdown. */
const LAST_TRIES = 3

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
  call: Omit<FinishedCall, 'arguments'>
  countFor: string | null
  /** Characters. */
  size: number
}
type Deps = { store: Store; onError: (error: unknown) => void }

/** Records calls in batches, outside the request path. */
export function createCallRecorder({ store, onError }: Deps): CallRecorder {
  const waiting: Entry[] = []
  /** Calls whose write failed, retried unchanged: the commit may have succeeded although its answer was lost. */
  let retried: Entry[] = []
  /** Total size of the queued calls. */
  let characters = 0
  const newId = createTimedIds('call')
  let failures = 0
  let writing: Promise<void> = Promise.resolve()
  let isFlushing = false

  const writeBatch = async () => {
    const isRetry = retried.length > 0
    const batch = isRetry ? retried : waiting.splice(0, BATCH)
    if (!isRetry) characters -= sum(batch)
    retried = []
    try {
      await store.transaction(async (tx) => {
        if (
          isRetry &&
          (await areWritten(
            tx,
            batch.map(({ id }) => id),
          ))
        )
          return
        await writeCalls(tx, batch.map(callRow), batch.flatMap(citationRows))
        for (const { accountId, month, calls } of countMonths(batch)) await addCalls(tx, accountId, month, calls)
      })
      failures = 0
    } catch (error) {
      failures += 1
      // An outage does not count against the batch, however long it lasts.
      if (failures < TRIES || error instanceof StoreUnavailableError) {
        retried = batch
        throw error
      }
      failures = 0
      onError(new Error(`${batch.length} calls could not be recorded`, { cause: error }))
    }
  }

  const flush = () => {
    // One flush at a time, in order. A failed flush does not block the next.
    isFlushing = true
    const next = writing.then(async () => {
      while (retried.length + waiting.length > 0) {
        // Let pending requests go first.
        await setImmediate()
        await writeBatch()
      }
    })
    writing = next
      .catch(() => {})
      .then(() => {
        isFlushing = false
      })
    return next
  }

  /** The store reports outages itself. */
  const onFailure = (error: unknown) => {
    if (!(error instanceof StoreUnavailableError)) onError(error)
  }

  /** Not during a flush, nor after a failed one: the timer retries that. */
  const flushFull = () => {
    if (waiting.length < BATCH || isFlushing || failures > 0) return
    flush().catch(onFailure)
  }

  const timer = setInterval(() => {
    // No concurrent flushes: a hanging database can take longer than this interval to time out.
    if (retried.length + waiting.length > 0 && !isFlushing) flush().catch(onFailure)
  }, FLUSH_MS)
  timer.unref()

  return {
    record(serverId, call, countFor) {
      const at = store.clock()
      const { arguments: given, ...rest } = call
      const [args, query] = [clipArguments(given), queryOf(given)]
      const kept = call.isUnknown ? { ...rest, tool: clipName(call.tool) } : rest
      const counted = call.isUnknown ? null : (countFor ?? null)
      const size =
        ROW + args.length + (query?.length ?? 0) + (call.error?.length ?? 0) + CITATION * call.citations.length
      waiting.push({ id: newId(at), serverId, at, arguments: args, query, call: kept, countFor: counted, size })
      characters += size
      while (waiting.length > KEPT || characters > KEPT_CHARACTERS) characters -= waiting.shift()?.size ?? 0
      flushFull()
    },
    flush,
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      for (let left = LAST_TRIES; ; left--) {
        try {
          return await flush()
        } catch (error) {
          if (left > 1) {
            await sleep(100)
            continue
          }
          const lost = retried.length + waiting.length
          return onError(new Error(`${lost} calls could not be recorded before the end`, { cause: error }))
        }
      }
    },
  }
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
  const { tool, isUnknown, client, status, durationMs, error, confidence, segments } = call
  return {
    id,
    serverId,
    at,
    day: Math.floor(at / DAY_MS),
    tool,
    arguments: args,
    query,
    clientName: client && clipText(client.name),
    clientVersion: client?.version ? clipText(client.version) : null,
    status,
    durationMs,
    error: error === undefined ? null : clipText(error),
    confidence: confidence ?? null,
    segments: segments.join(' '),
    ...(isUnknown ? { isUnknown } : {}),
  }
}

function citationRows({ id, call }: Entry): CitationRow[] {
  return call.citations.map(({ sourceId, url, title, rank, score }, position) => ({
    callId: id,
    position,
    rank,
    sourceId,
    url: clipText(url),
    title: clipText(title),
    score,
  }))
}
