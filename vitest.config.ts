import { totalmem } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { defineConfig } from 'vitest/config'
import { THREAD_FLAGS } from './scripts/launch/service-flags.mjs'
import { LongestFirst } from './scripts/testing/longest-first.ts'
import { memoryFolder } from './scripts/testing/memory-folder.ts'

/** A process of tests and what it starts use up to a gigabyte. */
const PROCESS_BYTES = 1_200_000_000
const memory = Math.min(totalmem(), process.constrainedMemory() || Infinity)

// Inherited by the processes of the tests.
const folder = process.env['TMPDIR'] === undefined ? memoryFolder() : null
if (folder !== null) process.env['TMPDIR'] = folder

/** The tests of `npm test`. `vitest.long.config.ts` runs them on PostgreSQL too, with all hostile texts. */
export default defineConfig({
  test: {
    include: ['{contract,server,sdk,cli,widget,dashboard,bench,scripts}/**/*.test.ts'],
    alias: [
      { find: '#lib/place.ts', replacement: join(import.meta.dirname, 'server/test/support/lib/bundled-place.ts') },
      // Below `children.ts` only: the tests of child processes name the module with `#workers/`.
      {
        find: './child-process.ts',
        replacement: join(import.meta.dirname, 'server/test/support/processes/kept-children.ts'),
      },
    ],
    provide: { isLong: false },
    // Processes rather than threads: one that crashes fails its file and not the whole run. Most tests wait more than
    // they compute: five at a time leave a machine of two cores little idle time, and seven take as long. No test measures
    // elapsed time.
    pool: 'forks',
    maxWorkers: Math.max(2, Math.min(5, Math.floor(memory / PROCESS_BYTES))),
    // A large young generation, collected by one thread: a tenth less processor time than V8's defaults.
    execArgv: [...THREAD_FLAGS, '--max-semi-space-size=64', '--no-parallel-scavenge'],
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // Bounds for tests that hang, also on a busy machine. A test that waits for something has no other bound.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 90_000, interval: 50 } },
    setupFiles: ['server/test/support/processes/thread-memory.ts'],
    globalSetup: ['server/test/support/database/global-setup.ts'],
  },
})
