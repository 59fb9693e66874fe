import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startVitest, type VitestPluginContext } from 'vitest/node'
import { type Mutant, pathOf } from './mutants.ts'

/*
 * Runs the unit tests that import a file, with a mutant of the file, until one fails. The argument names a file with the
 * mutant as JSON. Exits with 1 if a test fails.
 */

/** Tests without the service. */
const UNITS = ['server/src/{answer,library,search}/**/*.test.ts', 'server/src/mcp/{results,tools}/*.test.ts']

const [, , file = ''] = process.argv
const mutant = JSON.parse(readFileSync(file, 'utf8')) as Mutant
const mutated = pathOf(mutant)
const plugin = {
  name: 'mutant',
  enforce: 'pre' as const,
  configureVitest({ defineCacheKeyGenerator }: VitestPluginContext) {
    // The cache has the file as it is.
    defineCacheKeyGenerator(({ id }) => (id === mutated ? false : null))
  },
  transform: (_code: string, id: string) => (id === mutated ? { code: mutant.source, map: null } : null),
}
const root = join(import.meta.dirname, '../../..')
const options = { run: true, bail: 1, root, include: UNITS, related: [mutated], globalSetup: [], testTimeout: 120_000 }
const vitest = await startVitest([], options, { plugins: [plugin] })
const isFailed = vitest.state.getCountOfFailedTests() > 0 || process.exitCode === 1
await vitest.close()
process.exitCode = isFailed ? 1 : 0
