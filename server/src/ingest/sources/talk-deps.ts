import type { NetClient } from '#net/client.ts'
import type { TalkHost } from './talk-list.ts'

/** Pages that are asked for of each. */
export type TalkLimits = { releases: number; issues: number; comments: number }

/** What lists are read with. `now` is in milliseconds since 1970. */
export type TalkDeps = { fetch: NetClient['fetch']; host: TalkHost; limits: TalkLimits; now: number }
