import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { createTimedIds } from '#lib/ids.ts'
import { monthOf } from '#lib/clock.ts'
import type { Db, Store } from '#store/db.ts'
import { createCallCounter } from '#store/calls/count-calls.ts'
import { createPageIds } from '#store/calls/cited-pages.ts'
import { foldLateCalls } from '#store/calls/fold-citations.ts'
import { addCalls } from '#store/accounts/usage.ts'
import { StoreUnavailableError } from '#store/engine/outages.ts'
import { type LoggedRow, areWritten, writeCalls } from '#store/calls/write-calls.ts'
import { type FinishedCall, callRow } from './call-row.ts'
import { LATE_CALL_MS } from './settle-calls.ts'

/** A node that dies loses the calls of the last second, half of it for the write. Writes per call would cost more. */
const FLUSH_MS = 500
/**
 * Calls per transaction. A full batch is written immediately, and the rest with the timer. SQLite writes on this thread,
 * at about 10 µs for a call with five citations: a batch blocks other work for about 1 ms. With half of it, a call costs
 * 2 µs more. The rows share a database file with everything else.
 */
const BATCH = 96
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

type Entry = {
  row: LoggedRow
  countFor: string | null
  size: number
}
type Deps = {
  store: Store
  onError: (error: unknown) => void
  /** Runs in the transaction that writes calls. */
  onWrite?: (tx: Db, calls: readonly LoggedRow[]) => Promise<void>
}

/** Records calls in batches, outside the request path. */
export class CallRecorder implements AsyncDisposable {
  readonly #store: Store
  readonly #onError: Deps['onError']
  readonly #onWrite: Deps['onWrite']
  readonly #newId = createTimedIds('call')
  readonly #countCalls = createCallCounter()
  readonly #pageIds = createPageIds()
  readonly #waiting: Entry[] = []
  /** Calls whose write failed, retried unchanged: the commit may have succeeded although its answer was lost. */
  #retried: Entry[] = []
  /** Total size of the queued calls. */
  #characters = 0
  #failures = 0
  #writing: Promise<void> = Promise.resolve()
  #isFlushing = false
  /** The flush ends when fewer calls are pending. */
  #least = 1
  #timer: NodeJS.Timeout | undefined

  constructor({ store, onError, onWrite }: Deps) {
    this.#store = store
    this.#onError = onError
    this.#onWrite = onWrite
  }

  /** Writes pending calls after a while, and again until none is pending. */
  #flushSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      if (this.#pending() === 0 && !this.#isFlushing) return
      // No concurrent flushes: a hanging database can take longer than this interval to time out.
      if (this.#isFlushing) this.#least = 1
      else this.#writeLater(1)
      this.#flushSoon()
    }, FLUSH_MS).unref()
  }

  /** Queues the call. With `countFor`, also adds it to the month of that account, which has no allowance. */
  record(serverId: string, call: FinishedCall, countFor?: string): void {
    const at = this.#store.clock()
    const row = callRow(call, { id: call.attribution?.callId ?? this.#newId(at), serverId, at })
    const size = sizeOf(row)
    this.#waiting.push({ row, countFor: call.isUnknown ? null : (countFor ?? null), size })
    this.#characters += size
    while (this.#waiting.length > KEPT || this.#characters > KEPT_CHARACTERS) {
      this.#characters -= this.#waiting.shift()?.size ?? 0
    }
    this.#flushSoon()
    // Not during a flush, nor after a failed one: the timer retries that.
    if (this.#waiting.length >= BATCH && !this.#isFlushing && this.#failures === 0) this.#writeLater(BATCH)
  }

  /** Resolves when all recorded calls are in the store. */
  flush(): Promise<void> {
    return this.#write(1)
  }

  /** Writes batches as long as `least` calls are pending. */
  #write(least: number): Promise<void> {
    // One flush at a time, in order. A failed flush does not block the next.
    this.#isFlushing = true
    const next = this.#writing.then(async () => {
      this.#least = least
      while (this.#pending() >= this.#least) {
        // Let pending requests go first.
        await setImmediate()
        await this.#writeBatch()
      }
    })
    this.#writing = next.catch(() => {}).then(() => void (this.#isFlushing = false))
    return next
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#timer)
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
  #writeLater(least: number): void {
    this.#write(least).catch((error: unknown) => {
      if (!(error instanceof StoreUnavailableError)) this.#onError(error)
    })
  }

  async #writeBatch(): Promise<void> {
    const isRetry = this.#retried.length > 0
    const batch = isRetry ? this.#retried : this.#waiting.splice(0, BATCH)
    if (!isRetry) for (const { size } of batch) this.#characters -= size
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
    const rows = batch.map(({ row }) => row)
    const lateBefore = this.#store.clock() - LATE_CALL_MS
    const late = rows.flatMap(({ at, id }) => (at < lateBefore ? [id] : []))
    const pageIds = await this.#pageIds(this.#store, rows)
    await this.#store.transaction(async (tx) => {
      if (isRetry && (await areWritten(tx, rows))) return
      const write = () => writeCalls(tx, rows, { pageIds, countCalls: this.#countCalls })
      await (late.length > 0 ? foldLateCalls(tx, late, write) : write())
      await this.#onWrite?.(tx, rows)
      for (const { accountId, month, calls } of countMonths(batch)) await addCalls(tx, accountId, month, calls)
    })
  }
}

function sizeOf({ arguments: args, query, error, segments, cited }: LoggedRow): number {
  const texts = [args, query, error, segments, ...cited.flatMap(({ url, title }) => [url, title])]
  return texts.reduce((size, text) => size + (text?.length ?? 0), ROW + CITATION * cited.length)
}

/** In a fixed order, so that concurrent nodes wait for each other instead of deadlocking. */
function countMonths(batch: readonly Entry[]): { accountId: string; month: string; calls: number }[] {
  const counted = batch.filter(({ countFor }) => countFor !== null)
  const months = Map.groupBy(counted, ({ countFor, row }) => `${countFor} ${monthOf(row.at).name}`)
  return [...months]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, { length: calls }]) => {
      const [accountId = '', month = ''] = key.split(' ')
      return { accountId, month, calls }
    })
}
