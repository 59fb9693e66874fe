import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'

export type JobKind = keyof typeof jobKinds

/** A claimed job, valid until somebody claims it with a higher fence. */
export type Job = { id: number; kind: JobKind; payload: string; attempts: number; fence: number; accountId: string }

export const jobKinds = {
  /** `isStored`: the pages were imported, so that only their index is built. */
  ingest: z.object({ sourceId: z.string(), isStored: z.boolean().optional(), isScheduled: z.boolean().optional() }),
  /** Deletes all data of a server after its retention period. */
  purge: z.object({ serverId: z.string() }),
} as const

export type Payload<K extends JobKind> = z.infer<(typeof jobKinds)[K]>

/** Lease duration without renewal. A dead node delays its jobs by at most this time. */
export const LEASE_MS = 30_000

/** Milliseconds since 1970, or a database expression for them. */
export type Moment = number | RawBuilder<number>

export const after = (now: Moment, ms: number): RawBuilder<number> =>
  sql<number>`cast(${now} as bigint) + ${sql.lit(ms)}`
