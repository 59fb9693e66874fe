import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { createTimedIds } from '#lib/ids.ts'
import { monthOf } from '#lib/month.ts'
import type { Store } from '#store/db.ts'
import { addCalls } from '#store/monthly-calls.ts'
import { StoreUnavailableError } from '#store/store-unavailable.ts'
import { type CitationRow, type LoggedRow, areWritten, writeCalls } from '#store/write-calls.ts'
import { clipArguments, clipName, clipText, queryOf } from './clip.ts'

/** A call of a tool, as the endpoint tells of it. */
export type FinishedCall = {
  tool: string
  /** The server has no tool of that name: it is a client's text, and not counted for the account. */
  isUnknown?: true
  arguments: unknown
  client: { name: string; version: string | null } | null
  status: 'ok' | 'error'
  durationMs: number
  error?: string
  citations: readonly { sourceId: string; url: string; title: string; rank: number; score: number }[]
  confidence?: string
  /** Ids of the segments that the server was searched in. */
  segments: readonly string[]
}

export type CallRecorder = AsyncDisposable & {
  /**
   * Remembers the call and returns at once. With `countFor`, the call is counted in the month of that account as well:
   * for accounts without an allowance, whose calls need not be counted before they are answered.
   */
  record(serverId: string, call: FinishedCall, countFor?: string): void
  /** Resolves when everything that has been recorded here is in the store. */
  flush(): Promise<void>
}

/** What a node that dies can lose: the log is for looking at, and a write for each call would cost more than the call. */
const FLUSH_MS = 1_000
/**
 * Calls in one transaction, which is written as soon as there are so many. On SQLite, where writing is this thread's own
 * work, a call with five citations takes 40 µs: so many hold up nothing else for more than 1.5 ms, in the same file as
 * all the rest, whose rows they go with.
 */
const BATCH = 32
/** Calls kept while the database cannot be written to; beyond it the oldest go. */
const KEPT = 10_000
/** And their texts in characters, of which one call can have ten thousand. */
const KEPT_CHARACTERS = 16_000_000
/** Beside the texts of a call, in the same measure: what its row and each of its citations take. */
const [ROW, CITATION] = [300, 300]
/** A batch that cannot be written for so many tries is given up, so that it does not stop those behind it. */
const TRIES = 60
/** When it stops, it tries this often more. */
const LAST_TRIES = 3

const DAY_MS = 24 * 60 * 60 * 1000

/** A call as it waits. Its arguments are cut at once, since they may be megabytes; its rows are made with its batch. */
type Entry = {
  id: string
  serverId: string
  at: number
  arguments: string
  query: string | null
  call: Omit<FinishedCall, 'arguments'>
  countFor: string | null
  /** In characters. */
  size: number
}
type Deps = { store: Store; onError: (error: unknown) => void }

/** Records calls in batches, off the path of the requests that make them. */
export function createCallRecorder({ store, onError }: Deps): CallRecorder {
  const waiting: Entry[] = []
  /** Calls whose writing failed, to be tried again as they are: the answer to a commit can be lost, and not the commit. */
  let retried: Entry[] = []
  /** Of what waits. */
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
      // An outage is no fault of the batch, however long it takes.
      if (failures < TRIES || error instanceof StoreUnavailableError) {
        retried = batch
        throw error
      }
      failures = 0
      onError(new Error(`${batch.length} calls could not be recorded`, { cause: error }))
    }
  }

  const flush = () => {
    // One at a time, in order; one that failed does not keep the next from trying.
    isFlushing = true
    const next = writing.then(async () => {
      while (retried.length + waiting.length > 0) {
        // What is being answered goes first.
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

  /** Outages are told of by the store. */
  const onFailure = (error: unknown) => {
    if (!(error instanceof StoreUnavailableError)) onError(error)
  }

  /** Not beside a flush that goes on, nor after one that failed, which the timer tries again. */
  const flushFull = () => {
    if (waiting.length < BATCH || isFlushing || failures > 0) return
    flush().catch(onFailure)
  }

  const timer = setInterval(() => {
    // One after the other, since a database that hangs takes longer than this to be given up.
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

/** In a fixed order, so that nodes that write at the same moment wait for each other and do not deadlock. */
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
