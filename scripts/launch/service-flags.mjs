/**
 * For programs with worker threads. On processors with memory protection keys, V8 keeps one list of compiled code pages
 * for all threads. It aborts when starting and ending threads make the list inconsistent ("Check failed:
 * jit_page.has_value()", https://github.com/nodejs/node/issues/64500).
 */
export const THREAD_FLAGS = ['--no-memory-protection-keys']

/**
 * Flags of the service's Node. A young generation of 8 MB instead of 16 per thread costs 3 % of the CPU time of
 * indexing and saves a third of the memory. A major collection starts at 1.5 times the remaining old objects instead of
 * 3 times: indexing a site then takes at most 200 MB instead of 250. The first one waits for 40 MB, which a start does
 * not reach: one in the middle of it took an eighth of its processor time. Two helper threads of V8 instead of four: on
 * two processors under load, collections waited for helpers that waited for a processor. The 99th percentile of searches
 * among 100,000 passages fell from 17 to 13 ms. An idle service collects its heaps itself (`idle-memory.ts`).
 */
export const SERVICE_FLAGS = [
  '--max-semi-space-size=8',
  '--heap-growing-percent=50',
  '--initial-old-space-size=40',
  '--v8-pool-size=2',
  '--expose-gc',
  ...THREAD_FLAGS,
]

/**
 * Two arenas of glibc's allocator instead of eight per core reduce fragmentation. Documents are allocated in separate
 * blocks, which are returned without leaving holes.
 */
export const SERVICE_ENVIRONMENT = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '24576',
  MALLOC_TRIM_THRESHOLD_: '65536',
}
