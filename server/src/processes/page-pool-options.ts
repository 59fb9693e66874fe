import { availableParallelism } from 'node:os'
import type { ReaderMemory } from './reader-memory.ts'

export type PagePoolOptions = {
  /** Number of processes, default one less than the processor cores, at least one. */
  workers?: number
  /** Heap per process in MB. */
  memoryMb?: number
  /** Milliseconds of CPU time per page, from the moment its worker starts it. */
  killAfterMs?: number
  /** Milliseconds after which a page is slow, and others stop waiting behind it. */
  slowAfterMs?: number
  /** Milliseconds of idleness after which a process ends. */
  idleAfterMs?: number
  /** Grants memory for the extra process started while a page is slow. Without it the process is always started. */
  memory?: ReaderMemory
  /** Called for bugs met on a page. */
  onFault?: (error: unknown, url: string) => void
}

/** Typical pages need some 30 MB, the largest accepted ones 70. */
const MEMORY_MB = 112
/** Memory beside the heap: the program, and the raw document. */
export const BESIDE_HEAP_MB = 80
const KILL_AFTER_MS = 10_000
/** Nearly all pages take a hundredth of this; starting a process on a busy machine takes half. */
const SLOW_AFTER_MS = 2_000
/** Longer than the pauses of most crawls. */
const IDLE_AFTER_MS = 1_500

/** Returns the options with their defaults. */
export function withDefaults(options: PagePoolOptions): Required<Omit<PagePoolOptions, 'memory'>> {
  return {
    workers: Math.max(1, options.workers ?? availableParallelism() - 1),
    memoryMb: options.memoryMb ?? MEMORY_MB,
    killAfterMs: options.killAfterMs ?? KILL_AFTER_MS,
    slowAfterMs: options.slowAfterMs ?? SLOW_AFTER_MS,
    idleAfterMs: options.idleAfterMs ?? IDLE_AFTER_MS,
    onFault: options.onFault ?? (() => undefined),
  }
}
