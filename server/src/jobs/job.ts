import type { JobKind } from './kinds.ts'

/** A job in hand: valid as long as nobody has claimed it with a higher fence. */
export type Job = { id: number; kind: JobKind; payload: string; attempts: number; fence: number }
