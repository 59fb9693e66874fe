import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { startVitest, type VitestPluginContext } from 'vitest/node'
import { type Mutant, pathOf } from './mutants.ts'

/*
 * Runs the unit tests that import a file, with a mutant of the file, until one fails. The argument names a file with the
 * mutant as JSON. Exits with 1 if a test fails.
 */

/** Tests that are about a part of the server, without the service. */
const UNITS: Readonly<Record<string, readonly string[]>> = {
  answer: ['server/src/answer/**/*.test.ts', 'server/src/mcp/tools/ask*.test.ts'],
  search: ['server/src/search/**/*.test.ts'],
}

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
const include = [...(UNITS[mutant.file.split('/', 1)[0] ?? ''] ?? [])]
const options = { run: true, bail: 1, root, include, related: [mutated], globalSetup: [], testTimeout: 120_000 }
const vitest = await startVitest([], options, { plugins: [plugin] })
const isFailed = vitest.state.getCountOfFailedTests() > 0 || process.exitCode === 1
await vitest.close()
process.exitCode = isFailed ? 1 : 0
