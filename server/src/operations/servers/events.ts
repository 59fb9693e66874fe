import { setTimeout as sleep } from 'node:timers/promises'
import { MAX_EVENT_STREAMS } from '@docent/contract/operations/events'
import { DocentError } from '#errors.ts'
import { type Clock, isoTime } from '#lib/clock.ts'
import type { Store } from '#store/db.ts'
import { type ServerProgress, readAccountsProgress } from '#store/servers/progress.ts'
import type { CheckedCall, HandlersOf } from '../operation.ts'
import { type Progress, progressOf } from './present.ts'

/** Most proxies close idle connections after 30 or 60 seconds. */
const HEARTBEAT_MS = 15_000
/** A revoked key receives nothing new after this time. */
const ADMIT_AGAIN_MS = 5_000
const RETRY_AFTER_SECONDS = 30

export const eventHandlers: HandlersOf<'events'> = {
  'events.watch': async (call) => {
    const seat = call.deps.progressFeed.take(call.actor.accountId, call.signal)
    if (seat) return events(seat, call)
    const headers = { 'retry-after': String(RETRY_AFTER_SECONDS) }
    throw new DocentError('stream_limit', { fields: { limit: MAX_EVENT_STREAMS }, headers })
  },
}

async function* events(given: Seat, { actor: first, admitAgain }: CheckedCall<'events.watch'>) {
  using seat = given
  let actor = first
  let admittedAt = performance.now()
  let toldAt = -Infinity
  const told = new Map<string, string>()
  const calledAt = new Map<string, number>()
  for (let servers = await seat.next(); servers; servers = await seat.next()) {
    if (performance.now() - admittedAt >= ADMIT_AGAIN_MS) {
      const still = await admitAgain()
      if (!still) return
      actor = still
      admittedAt = performance.now()
    }
    const visible = servers.filter(({ serverId }) => !actor.serverIds || actor.serverIds.has(serverId))
    for (const { serverId, progress, text, lastCallAt } of visible) {
      const before = calledAt.get(serverId)
      calledAt.set(serverId, lastCallAt ?? 0)
      // Calls before the stream began are no news.
      if (before !== undefined && lastCallAt !== null && lastCallAt > before) {
        yield { type: 'called' as const, serverId, at: isoTime(lastCallAt) }
        toldAt = performance.now()
      }
      if (told.get(serverId) === text) continue
      told.set(serverId, text)
      yield { type: 'progress' as const, serverId, ...progress }
      if (toldAt > 0) toldAt = performance.now()
    }
    const there = new Set(visible.map(({ serverId }) => serverId))
    for (const serverId of [...told.keys()].filter((id) => !there.has(id))) {
      told.delete(serverId)
      calledAt.delete(serverId)
      yield { type: 'removed' as const, serverId }
    }
    if (performance.now() - toldAt >= HEARTBEAT_MS) {
      yield { type: 'heartbeat' as const, at: isoTime(Date.now()) }
      toldAt = performance.now()
    }
  }
}

/** Progress of one server, comparable as text, and the time of its last call. */
export type ProgressMessage = { serverId: string; progress: Progress; text: string; lastCallAt: number | null }

/** A stream's subscription to the feed. Dispose of it when the stream ends. */
export type Seat = Disposable & {
  /** The account's servers after the next poll of the store. Null when the stream must end. */
  next(): Promise<readonly ProgressMessage[] | null>
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
  isNew: boolean
  wake: ((servers: readonly ProgressMessage[] | null) => void) | null
  waitingSince: number
}

/** Sends streams the progress of their servers. All streams of a node share one poll of the store. */
export class ProgressFeed implements AsyncDisposable {
  readonly #options: Options
  readonly #watchers = new Set<Watcher>()
  readonly #ending = new AbortController()
  #looking: Promise<void> | null = null
  #hurry = new AbortController()

  constructor(options: Options) {
    this.#options = options
  }

  /** Subscribes a stream. Null if the account has reached its limit. */
  take(accountId: string, signal: AbortSignal): Seat | null {
    const taken = [...this.#watchers].filter((watcher) => watcher.accountId === accountId)
    if (taken.length >= this.#options.maxStreams) return null
    const watcher: Watcher = { accountId, isNew: true, wake: null, waitingSince: performance.now() }
    this.#watchers.add(watcher)
    const leave = () => {
      this.#watchers.delete(watcher)
      give(watcher, null)
    }
    signal.addEventListener('abort', leave, { once: true })
    return {
      next: async () => (signal.aborted ? null : this.#next(watcher)),
      [Symbol.dispose]() {
        signal.removeEventListener('abort', leave)
        leave()
      },
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort()
    for (const watcher of this.#watchers) give(watcher, null)
    this.#watchers.clear()
    await this.#looking
  }

  #next(watcher: Watcher): Promise<readonly ProgressMessage[] | null> {
    if (this.#ending.signal.aborted || !this.#watchers.has(watcher)) return Promise.resolve(null)
    const { promise, resolve } = Promise.withResolvers<readonly ProgressMessage[] | null>()
    watcher.wake = resolve
    this.#looking ??= this.#loop()
    if (watcher.isNew) this.#hurry.abort()
    watcher.isNew = false
    return promise
  }

  async #loop(): Promise<void> {
    while (this.#watchers.size > 0 && !this.#ending.signal.aborted) {
      const started = performance.now()
      this.#hurry = new AbortController()
      try {
        await this.#look()
      } catch (error) {
        this.#options.onError(error)
      }
      const wait = Math.max(LOOK_EVERY_MS, SHARE * (performance.now() - started))
      const signal = AbortSignal.any([this.#hurry.signal, this.#ending.signal])
      await sleep(wait, undefined, { signal }).catch(() => {})
    }
    // Cleared immediately, so that the next subscriber starts a new loop.
    this.#looking = null
  }

  async #look(): Promise<void> {
    const { store, clock } = this.#options
    const waiting = [...this.#watchers].filter(({ wake }) => wake !== null)
    const accounts = [...new Set(waiting.map(({ accountId }) => accountId))]
    const now = clock()
    const byAccount = new Map(accounts.map((accountId): [string, ProgressMessage[]] => [accountId, []]))
    for await (const slice of readAccountsProgress(store.read, accounts)) {
      for (const server of slice) byAccount.get(server.accountId)?.push(tell(server, now))
    }
    for (const watcher of waiting) give(watcher, byAccount.get(watcher.accountId) ?? [])
    for (const watcher of this.#watchers) {
      const isStalled = watcher.wake === null && performance.now() - watcher.waitingSince > STALLED_MS
      if (isStalled) this.#watchers.delete(watcher)
    }
  }
}

function give(watcher: Watcher, servers: readonly ProgressMessage[] | null): void {
  const { wake } = watcher
  watcher.wake = null
  watcher.waitingSince = performance.now()
  wake?.(servers)
}

function tell({ serverId, sources, jobs, lastCallAt }: ServerProgress, now: number): ProgressMessage {
  const progress = progressOf(sources, jobs, now)
  // Rate and remaining time change with every poll. They are sent only along with real changes.
  const { etaSeconds: _eta, pagesPerSecond: _rate, ...lasting } = progress
  return { serverId, progress, text: JSON.stringify(lasting), lastCallAt }
}
