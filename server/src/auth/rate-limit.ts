import type { Db, Store } from '#store/db.ts'
import { giveBackHit, readHit, takeHits } from '#store/rate-limits.ts'
import { StoreUnavailableError } from '#store/store-unavailable.ts'

/** A store, or one transaction as both members, which has no windows of this node alone. */
type Windows = { read: Db; write: Db } & Partial<Pick<Store, 'localWindows'>>

type Request = {
  /** What is limited, and for whom. */
  key: string
  /** Requests let through in any span of `windowMs` milliseconds. */
  limit: number
  windowMs: number
  now: number
  /** How many to take, all or none; default 1. */
  count?: number
}

/**
 * Takes requests from a sliding window. Returns 0 when they may pass, else the milliseconds after which they may.
 * The window is a log of the times let through, changed in one conditional statement: exact at every edge and over
 * every node, where a counter per fixed window lets twice the limit through around its border. A refused request is
 * not counted. While the database cannot count, this node does so by itself, from nothing.
 */
export async function takeFromWindow(store: Windows, request: Request): Promise<number> {
  const { limit, windowMs, now, count = 1 } = request
  if (count > limit) return windowMs
  const key = keyOf(request)
  try {
    if (await takeHits(store.write, { key, limit, count, now, windowMs })) return 0
    const blocking = await readHit(store.read, key, count - 1)
    return Math.max(1, (blocking ?? now) + windowMs - now)
  } catch (error) {
    if (!(error instanceof StoreUnavailableError) || !store.localWindows) throw error
    return store.localWindows.take({ key, limit, count, now, windowMs })
  }
}

/** Milliseconds after which one request may pass; 0 where it may now. Takes nothing. */
export async function lookAtWindow(db: Db, request: Omit<Request, 'count'>): Promise<number> {
  const oldest = await readHit(db, keyOf(request), 0)
  return oldest === null ? 0 : Math.max(0, oldest + request.windowMs - request.now)
}

/** Takes back what one request took from a window, as one that came to nothing. */
export async function giveBackToWindow(db: Db, window: Pick<Request, 'key' | 'limit'>): Promise<void> {
  await giveBackHit(db, keyOf(window))
}

/** Another limit under the same name keeps a log of another length. */
const keyOf = ({ key, limit }: Pick<Request, 'key' | 'limit'>): string => `${key}/${limit}`
