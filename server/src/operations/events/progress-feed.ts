import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '#lib/clock.ts'
import { type ServerProgress, readAccountsProgress } from '#store/accounts/account-progress.ts'
import type { Store } from '#store/db.ts'
import { progressOf } from '../servers/progress-of.ts'

/** Progress of one server, comparable as text. */
export type ProgressMessage = { serverId: string; progress: ReturnType<typeof progressOf>; text: string }

/** A stream's subscription to the feed. Dispose of it when the stream ends. */
export type Seat = Disposable & {
  /** The account's servers after the next poll of the store. Null when the stream must end. */
  next(): Promise<readonly ProgressMessage[] | null>
}

export type ProgressFeed = AsyncDisposable & {
  /** Subscribes a stream. Null if the account has reached its limit. */
  take(accountId: string, signal: AbortSignal): Seat | null
}

type Options = { store: Pick<Store, 'read'>; clock: Clock; maxStreams: number; onError: (error: unknown) => void }

/** Poll interval while streams are open. People notice a second, and the load is negligible. */
const LOOK_EVERY_MS = 1_000
/** Polling takes at most one part in this many of the time, whatever an account has. */
const SHARE = 20
/** A stream that is not read for this long has lost its reader. */
const STALLED_MS = 60_000

type Watcher = {
  accountId: string
  wake: ((servers: readonly ProgressMessage[] | null) => void) | null
  waitingSince: number
}

/**
 * Sends streams the progress of their accounts' servers. All streams of a node share one poll of the store, which every
 * node writes to, so nodes need no messages. No polling without streams.
 */
export function createProgressFeed({ store, clock, maxStreams, onError }: Options): ProgressFeed {
  const watchers = new Set<Watcher>()
  const ending = new AbortController()
  let looking: Promise<void> | null = null
  let hurry = new AbortController()

  const look = async () => {
    const waiting = [...watchers].filter(({ wake }) => wake !== null)
    const accounts = [...new Set(waiting.map(({ accountId }) => accountId))]
    const now = clock()
    const byAccount = new Map(accounts.map((accountId): [string, ProgressMessage[]] => [accountId, []]))
    for await (const slice of readAccountsProgress(store.read, accounts)) {
      for (const server of slice) byAccount.get(server.accountId)?.push(tell(server, now))
    }
    for (const watcher of waiting) give(watcher, byAccount.get(watcher.accountId) ?? [])
    for (const watcher of watchers) {
      if (watcher.wake === null && performance.now() - watcher.waitingSince > STALLED_MS) watchers.delete(watcher)
    }
  }

  const loop = async () => {
    while (isWatched()) {
      const started = performance.now()
      hurry = new AbortController()
      try {
        await look()
      } catch (error) {
        onError(error)
      }
      const wait = Math.max(LOOK_EVERY_MS, SHARE * (performance.now() - started))
      await sleep(wait, undefined, { signal: AbortSignal.any([hurry.signal, ending.signal]) }).catch(() => {})
    }
    // Cleared immediately, so that the next subscriber starts a new loop.
    looking = null
  }

  const isWatched = () => watchers.size > 0 && !ending.signal.aborted

  const give = (watcher: Watcher, servers: readonly ProgressMessage[] | null) => {
    const { wake } = watcher
    watcher.wake = null
    watcher.waitingSince = performance.now()
    wake?.(servers)
  }

  return {
    take(accountId, signal) {
      if ([...watchers].filter((watcher) => watcher.accountId === accountId).length >= maxStreams) return null
      const watcher: Watcher = { accountId, wake: null, waitingSince: performance.now() }
      watchers.add(watcher)
      const leave = () => {
        watchers.delete(watcher)
        give(watcher, null)
      }
      signal.addEventListener('abort', leave, { once: true })
      let isNew = true
      return {
        next() {
          if (signal.aborted || ending.signal.aborted || !watchers.has(watcher)) return Promise.resolve(null)
          const { promise, resolve } = Promise.withResolvers<readonly ProgressMessage[] | null>()
          watcher.wake = resolve
          looking ??= loop()
          // New subscribers get their state immediately.
          if (isNew) hurry.abort()
          isNew = false
          return promise
        },
        [Symbol.dispose]() {
          signal.removeEventListener('abort', leave)
          leave()
        },
      }
    },
    async [Symbol.asyncDispose]() {
      ending.abort()
      for (const watcher of watchers) give(watcher, null)
      watchers.clear()
      await looking
    },
  }
}

function tell({ serverId, sources, jobs }: ServerProgress, now: number): ProgressMessage {
  const progress = progressOf(sources, jobs, now)
  // Rate and remaining time change with every poll. They are sent only along with real changes.
  const { etaSeconds: _eta, pagesPerSecond: _rate, ...lasting } = progress
  return { serverId, progress, text: JSON.stringify(lasting) }
}
