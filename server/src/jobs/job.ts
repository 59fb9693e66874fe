import type { RawBuilder } from 'kysely'
import type { JobKind } from './kinds.ts'

/** A job in hand: valid as long as nobody has claimed it with a higher fence. */
export type Job = { id: number; kind: JobKind; payload: string; attempts: number; fence: number; accountId: string }

/** A moment, in milliseconds since 1970, or what the database makes one of. */
export type Moment = number | RawBuilder<number>

/**
 * What may be claimed at `now`: everything that is due but the jobs that the caller holds itself (`held`), and those of
 * accounts that have as many running there as they may (`full`).
 */
export type Wanted = { now: Moment; leaseMs: number; held: readonly number[]; full: readonly string[] }
