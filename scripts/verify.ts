/**
 * The fast checks, one after the other: `npm run verify [-- --static] [-- --out FILE]`. `--static` leaves the tests
 * out. Says one line for each check, and for one that fails what it found; ends with 1 if any failed.
 */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const root = join(import.meta.dirname, '..')
const { values } = parseArgs({ options: { static: { type: 'boolean', default: false }, out: { type: 'string' } } })

/** What runs without starting the service as a whole, but for the command line's own tests. */
const UNITS = ['contract/', 'server/src/', 'server/test/architecture', 'cli/', 'sdk/', 'bench/', 'scripts/']

/** What the launcher does not know by name is a script of ours. */
const CHECKS: readonly [name: string, tool: string, ...args: string[]][] = [
  ['types', 'tsc', '--noEmit', '-p', 'tsconfig.json'],
  ['lint', 'oxlint', '--type-aware', '--quiet'],
  ['format', 'oxfmt', '--check'],
  ['regular expressions take linear time', 'scripts/check-regexes.ts'],
  ['unused files, exports and dependencies', 'knip'],
  ['unit tests and architecture', 'vitest', 'run', ...UNITS],
]

let failed = 0
const chosen = CHECKS.filter(([, tool]) => !values.static || tool !== 'vitest')
for (const [name, tool, ...args] of chosen) {
  const started = performance.now()
  const launcher = join(root, 'scripts', 'launch.mjs')
  const script = tool.endsWith('.ts') ? [join(root, tool)] : [launcher, 'run', tool]
  const { status, stdout, stderr } = spawnSync(process.execPath, [...script, ...args], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64_000_000,
  })
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  process.stdout.write(`${status === 0 ? 'ok    ' : 'FAILED'}  ${name} (${seconds} s)\n`)
  if (status === 0) continue
  failed++
  process.stdout.write(`\n${stdout}${stderr}\n`)
}
if (values.out) {
  writeFileSync(values.out, JSON.stringify({ numPassedTests: chosen.length - failed, numFailedTests: failed }))
}
process.exitCode = failed > 0 ? 1 : 0
