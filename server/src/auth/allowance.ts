import { monthOf } from '#lib/clock.ts'
import type { Db, Store } from '#store/db.ts'
import { addCalls, callsInMonth, countCall } from '#store/accounts/usage.ts'
import { StoreUnavailableError } from '#store/engine/outages.ts'
import {
  type Anonymous,
  type CallerLimitReached,
  anonymousShare,
  hasDailyLimit,
  shareReached,
  takeOfDay,
  unlessRefused,
} from './caller-limits.ts'
import { planOf, planUrl } from './plans.ts'

/** True if the plan has no monthly limit. Its calls need no count before the answer. */
export const isUnlimited = (plan: string): boolean => planOf(plan).mcpRequestsPerMonth === null

export type Allowance = { limit: number | null; used: number; resetsAt: number }

/** `anonymous` is null or absent for a caller with a credential. */
type Caller = { accountId: string; plan: string; now: number; anonymous?: Anonymous | null }

/** Monthly calls used by an account under its plan. */
export async function readAllowance(
  { read }: Pick<Store, 'read'>,
  { accountId, plan, now }: Caller,
): Promise<Allowance> {
  const month = monthOf(now)
  const used = await callsInMonth(read, accountId, month.name)
  return { limit: planOf(plan).mcpRequestsPerMonth, used, resetsAt: month.end }
}

type Reached = Allowance & { limit: number }

/** The refusal of a call beyond the allowance, for clients. `resetsAt` is ISO 8601. */
export type MonthlyLimitReached = {
  reason: 'monthly_limit_reached'
  limit: number
  used: number
  resetsAt: string
  upgradeUrl: string
}

export function monthlyLimitReached({ limit, used, resetsAt }: Reached, baseUrl: string): MonthlyLimitReached {
  const resets = new Date(resetsAt).toISOString()
  return { reason: 'monthly_limit_reached', limit, used, resetsAt: resets, upgradeUrl: planUrl(baseUrl) }
}

/** Interval at which calls answered during a database outage are written to the database. */
const SETTLE_MS = 5_000
/** Maximum accounts to remember: those that called last. */
const ACCOUNTS = 10_000

/** An account's allowance at its last call, as seen by this node. `owed` counts calls not yet in the database. */
type Standing = {
  accountId: string
  month: string
  left: number
  reached: Reached | null
  owed: number
  isAnnounced: boolean
}

export type AllowanceEnd = { accountId: string; limit: number; resetsAt: number }

type Events = {
  onError: (error: unknown) => void
  /** Called once per account and month when the allowance is used up. May be called again after a restart. */
  onReached: (end: AllowanceEnd) => Promise<void>
}

/** Allowances that survive database outages: calls pass up to this node's share of the last known rest, and are counted afterwards. */
export class CallAllowance implements AsyncDisposable {
  readonly #store: Store
  readonly #events: Events
  readonly #announcing = new Set<Promise<void>>()
  readonly #standings = new Map<string, Standing>()
  readonly #timer: NodeJS.Timeout

  constructor(store: Store, events: Events) {
    this.#store = store
    this.#events = events
    const { onError } = events
    const ignoreOutage = (error: unknown) => {
      if (!(error instanceof StoreUnavailableError)) onError(error)
    }
    this.#timer = setInterval(() => void this.#settle().catch(ignoreOutage), SETTLE_MS).unref()
  }

  /**
   * Takes one call from the monthly allowance of the account, and an anonymous one from the limits of its owner. Null if
   * it may pass, otherwise what is used up. Calls on a plan without a limit are counted in batches with the request log.
   */
  async take(caller: Caller): Promise<Reached | CallerLimitReached | null> {
    const limit = planOf(caller.plan).mcpRequestsPerMonth
    const { anonymous } = caller
    if (anonymous && hasDailyLimit(anonymous)) {
      return unlessRefused(this.#store, async (tx) => {
        const reached = await takeOfDay(tx, { ...caller, anonymous })
        return reached ?? (limit === null ? null : this.#takeOfMonth(tx, caller, limit))
      })
    }
    if (limit === null) return null
    try {
      return await this.#takeOfMonth(this.#store.write, caller, limit)
    } catch (error) {
      // The rest of anonymous callers is not known.
      if (!(error instanceof StoreUnavailableError) || anonymous?.limits.reservedPercent) throw error
      const standing = this.#standingOf(caller, limit)
      if (standing.reached) return standing.reached
      // If each node let the whole rest pass, a caller that asks all of them would get it several times.
      if (standing.owed >= Math.floor(standing.left / this.#store.nodes())) throw error
      standing.owed += 1
      return null
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer)
    await Promise.all(this.#announcing)
    await this.#settle().catch(this.#events.onError)
  }

  async #takeOfMonth(db: Db, caller: Caller, limit: number): Promise<Reached | CallerLimitReached | null> {
    const { accountId, anonymous, now } = caller
    const { name: month, end: resetsAt } = monthOf(now)
    const standing = this.#standingOf(caller, limit)
    const share = anonymous ? anonymousShare(limit, anonymous.limits) : undefined
    const calls = share === 0 ? null : await countCall(db, { accountId, month, limit, share })
    if (calls === null) {
      const allowance = await readAllowance({ read: db }, caller)
      if (share !== undefined && allowance.used < limit) return shareReached(share, resetsAt)
      standing.reached = { ...allowance, limit }
    } else standing.reached = null
    standing.left = calls === null ? 0 : limit - calls
    if (standing.left === 0) this.#announce(standing, { accountId, limit, resetsAt })
    return standing.reached
  }

  /** Not awaited by the call. The call must not wait for webhooks. */
  #announce(standing: Standing, end: AllowanceEnd): void {
    if (standing.isAnnounced) return
    standing.isAnnounced = true
    const announced = this.#events
      .onReached(end)
      .catch(this.#events.onError)
      .finally(() => this.#announcing.delete(announced))
    this.#announcing.add(announced)
  }

  #standingOf({ accountId, now }: Caller, limit: number): Standing {
    const month = monthOf(now).name
    const key = `${accountId} ${month}`
    const first = {
      accountId,
      month,
      left: this.#store.nodes() > 1 ? 0 : limit,
      reached: null,
      owed: 0,
      isAnnounced: false,
    }
    const standing = this.#standings.get(key) ?? first
    this.#standings.delete(key)
    this.#standings.set(key, standing)
    if (this.#standings.size > ACCOUNTS) this.#forget()
    return standing
  }

  #forget(): void {
    const oldest = this.#standings.entries().find(([, { owed }]) => owed === 0)
    if (oldest) this.#standings.delete(oldest[0])
  }

  async #settle(): Promise<void> {
    for (const standing of this.#standings.values()) {
      const { accountId, month, owed } = standing
      if (owed === 0) continue
      standing.owed = 0
      try {
        await addCalls(this.#store.write, accountId, month, owed)
        standing.left -= owed
      } catch (error) {
        standing.owed += owed
        throw error
      }
    }
  }
}
