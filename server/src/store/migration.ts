import type { Store } from './db.ts'

/** One step of the schema. Numbered from 1 without gaps, never changed once released. */
export type Migration = { number: number; sql: (words: Words) => string }

/** What the engines call the same thing. */
export type Words = { engine: Store['engine']; bigint: string; blob: string; serial: string }
