import { defineConfig } from 'vitest/config'
import short from './vitest.config.ts'

/** `npm run test:long`: all tests on both database engines, with whole corpora and every hostile text. */
export default defineConfig({ test: { ...short.test, testTimeout: 600_000, provide: { isLong: true } } })
