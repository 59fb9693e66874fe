import type { Claims } from './claims.ts'

/** Messages from a pool to one of its threads. */
export type ToThread =
  | { type: 'claims'; claims: Claims }
  | { type: 'task'; id: number; task: unknown }
  | { type: 'next'; id: number; task: unknown }
  | { type: 'abort'; id: number }
  | { type: 'reply'; id: number; ask: number; value: unknown }
  | { type: 'refuse'; id: number; ask: number; error: unknown }
  | { type: 'note'; note: unknown }

/** Messages from a thread to its pool. */
export type FromThread =
  | { type: 'ready' }
  | { type: 'done'; id: number; value: unknown }
  | { type: 'failed'; id: number; error: unknown }
  | { type: 'ask'; id: number; ask: number; method: string; args: unknown[] }
  | { type: 'note'; note: unknown }
