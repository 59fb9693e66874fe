import { RECENT_DAYS } from '@docent/contract/operations/analytics'
import { type DayCount, recentCalls } from '#store/servers/progress.ts'
import type { Handler } from '../operation.ts'
import { isoTime } from '../servers/present.ts'
import { DAY_MS, dayOf } from './range.ts'

export const getRecentCalls: Handler<'analytics.recent'> = async ({ deps, actor }) => {
  await deps.flushCalls()
  const { accountId, serverIds } = actor
  const sinceDay = dayOf(deps.clock()) - RECENT_DAYS + 1
  const servers: Counted = new Map()
  for await (const slice of recentCalls(deps.store.read, { accountId, serverIds, sinceDay })) {
    for (const count of slice) addCount(servers, count, sinceDay)
  }
  return {
    days: Array.from({ length: RECENT_DAYS }, (_, index) => isoTime((sinceDay + index) * DAY_MS).slice(0, 10)),
    servers: [...servers.values()],
  }
}

type Counted = Map<string, { serverId: string; calls: number[]; failed: number[] }>

function addCount(servers: Counted, { serverId, day, calls, failed }: DayCount, sinceDay: number): void {
  const at = day - sinceDay
  // A clock that is set back leaves counts of days to come.
  if (at >= RECENT_DAYS) return
  const none = () => Array<number>(RECENT_DAYS).fill(0)
  const server = servers.get(serverId) ?? { serverId, calls: none(), failed: none() }
  server.calls[at] = calls
  server.failed[at] = failed
  servers.set(serverId, server)
}
