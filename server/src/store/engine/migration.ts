import type { Store } from '#store/db.ts'

/** One schema migration. Numbers rise in the order of the list. Never changed once released. */
export type Migration = { number: number; sql: (words: Words) => string }

/** Engine-specific SQL words. */
export type Words = { engine: Store['engine']; bigint: string; blob: string; serial: string }
