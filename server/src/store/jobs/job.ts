import type { RawBuilder } from 'kysely'
import type { JobKind } from './kinds.ts'

/** A claimed job, valid until somebody claims it with a higher fence. */
export type Job = { id: number; kind: JobKind; payload: string; attempts: number; fence: number; accountId: string }

/** Milliseconds since 1970, or a database expression for them. */
export type Moment = number | RawBuilder<number>

/**
 * Claimable jobs at `now`: all due jobs except those the caller holds (`held`), and those of accounts at their
 * concurrency limit (`full`).
 */
export type Wanted = { now: Moment; leaseMs: number; held: readonly number[]; full: readonly string[] }
