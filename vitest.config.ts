import { defineConfig } from 'vitest/config'
import { THREAD_FLAGS } from './scripts/launch/service-flags.mjs'

export default defineConfig({
  test: {
    include: ['{contract,server,sdk,cli,widget,dashboard,bench,scripts}/**/*.test.ts'],
    // Processes rather than threads: one that crashes fails its file and not the whole run. Most tests wait more than they
    // compute, so that two at a time leave a machine of two cores some time.
    pool: 'forks',
    maxWorkers: 2,
    execArgv: THREAD_FLAGS,
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    globalSetup: ['server/test/support/database/global-setup.ts'],
  },
})
