import { z } from 'zod'

/** All kinds of background jobs and their payload schemas. */
export const jobKinds = {
  /** Crawls a source and publishes the result. */
  ingest: z.object({ sourceId: z.string() }),
  /** Deletes all data of a server after its retention period. */
  purge: z.object({ serverId: z.string() }),
} as const

export type JobKind = keyof typeof jobKinds
export type Payload<K extends JobKind> = z.infer<(typeof jobKinds)[K]>
