import { MAX_EVENT_STREAMS } from '@docent/contract/operations/events'
import type { Actor } from '#auth/authenticate.ts'
import { DocentError } from '#errors.ts'
import { isoTime } from '#lib/clock.ts'
import type { CheckedCall, Handler } from '../operation.ts'
import type { Seat } from './progress-feed.ts'

/** Most proxies close idle connections after 30 or 60 seconds. */
const HEARTBEAT_MS = 15_000
/** A revoked key receives nothing new after this time. */
const ADMIT_AGAIN_MS = 5_000
const RETRY_AFTER_SECONDS = 30

export const watchEvents: Handler<'events.watch'> = async ({ deps, actor, signal, admitAgain }) => {
  const seat = deps.progressFeed.take(actor.accountId, signal)
  if (!seat) {
    const headers = { 'retry-after': String(RETRY_AFTER_SECONDS) }
    throw new DocentError('stream_limit', { fields: { limit: MAX_EVENT_STREAMS }, headers })
  }
  return events(seat, { actor, admitAgain })
}

type Caller = { actor: Actor } & Pick<CheckedCall<'events.watch'>, 'admitAgain'>

async function* events(given: Seat, { actor: first, admitAgain }: Caller) {
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
