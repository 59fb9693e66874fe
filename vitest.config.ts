import { defineConfig } from 'vitest/config'
import { THREAD_FLAGS } from './scripts/launch/service-flags.mjs'

/** The tests of `npm test`. `vitest.long.config.ts` runs them on PostgreSQL too, with all hostile texts. */
export default defineConfig({
  test: {
    include: ['{contract,server,sdk,cli,widget,dashboard,bench,scripts}/**/*.test.ts'],
    provide: { isLong: false },
    // Processes rather than threads: one that crashes fails its file and not the whole run. Most tests wait more than
    // they compute, so that four at a time leave a machine of two cores some time. No test measures elapsed time.
    pool: 'forks',
    maxWorkers: 4,
    execArgv: THREAD_FLAGS,
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    globalSetup: ['server/test/support/database/global-setup.ts'],
  },
})
