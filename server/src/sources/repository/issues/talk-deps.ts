import type { NetClient } from '#net/client.ts'
import type { TalkHost } from './talk-list.ts'

/** Pages requested per list. */
export type TalkLimits = { releases: number; issues: number; comments: number }

/** Dependencies of reading lists. `now` is in milliseconds since 1970. */
export type TalkDeps = { fetch: NetClient['fetch']; host: TalkHost; limits: TalkLimits; now: number }
