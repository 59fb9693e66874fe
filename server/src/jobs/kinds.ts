import { z } from 'zod'

/** Every kind of background work and the shape of its payload. */
export const jobKinds = {
  /** Crawls a source and publishes what it found. */
  ingest: z.object({ sourceId: z.string() }),
  /** Deletes all that belonged to a server, after its retention. */
  purge: z.object({ serverId: z.string() }),
} as const

export type JobKind = keyof typeof jobKinds
export type Payload<K extends JobKind> = z.infer<(typeof jobKinds)[K]>
