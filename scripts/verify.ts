/**
 * The fast checks in sequence: `npm run verify [-- --static] [-- --out FILE]`. `--static` skips the tests. Prints one
 * line for each check, with the number of warnings about sizes, plus the findings of a failed one; exits with 1 if any
 * failed.
 */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const root = join(import.meta.dirname, '..')
const { values } = parseArgs({ options: { static: { type: 'boolean', default: false }, out: { type: 'string' } } })

/** Tests that do not start the whole service, except for those of the command line. */
const UNITS = ['contract/', 'server/src/', 'server/test/architecture', 'cli/', 'sdk/', 'bench/', 'scripts/']

/** Tools that the launcher does not know are scripts of this folder. */
const CHECKS: readonly [name: string, tool: string, ...args: string[]][] = [
  ['types', 'tsc', '--build'],
  ['lint', 'oxlint', '--type-aware'],
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
  const told = tool === 'oxlint' ? warningsOf(stdout) : ''
  process.stdout.write(`${status === 0 ? 'ok    ' : 'FAILED'}  ${name} (${seconds} s)${told}\n`)
  if (status === 0) continue
  failed++
  process.stdout.write(`\n${tool === 'oxlint' ? withoutWarnings(stdout) : stdout}${stderr}\n`)
}
if (values.out) {
  writeFileSync(values.out, JSON.stringify({ numPassedTests: chosen.length - failed, numFailedTests: failed }))
}
process.exitCode = failed > 0 ? 1 : 0

/** The numbers of warnings by rule. They are signs and not failures. `npx oxlint --type-aware` shows them. */
function warningsOf(report: string): string {
  const rules = [...report.matchAll(/^ *! eslint\(([a-z-]+)\)/gm)].map(([, rule = '']) => rule)
  const counts = [...Map.groupBy(rules, (rule) => rule)].map(([rule, found]) => `${found.length} ${rule}`)
  return counts.length > 0 ? `, warnings: ${counts.join(', ')}` : ''
}

function withoutWarnings(report: string): string {
  return report
    .split(/\n(?= *[x!] )/)
    .filter((block) => !/^ *! /.test(block))
    .join('\n')
}
