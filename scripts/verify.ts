/**
 * The fast checks: `npm run verify [-- --static] [-- --out FILE]`. `--static` skips the tests. Prints one
 * line for each check, with the number of warnings about sizes, plus the findings of a failed one; exits with 1 if any
 * failed.
 */
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const root = join(import.meta.dirname, '..')
const { values } = parseArgs({ options: { static: { type: 'boolean', default: false }, out: { type: 'string' } } })

/** Tests that do not start the whole service, except for those of the command line. */
const UNITS = ['contract/', 'server/src/', 'server/test/architecture', 'cli/', 'sdk/', 'bench/', 'scripts/']

type Check = readonly [name: string, tool: string, ...args: string[]]

/** Two sequences beside each other. Tools that the launcher does not know are scripts of this folder. */
const CHECKS: readonly (readonly Check[])[] = [
  [
    // Each further checker checks much of the same again: four take thrice the processor time.
    ['types', 'tsc', '--build', '--checkers', '1'],
    ['lint', 'oxlint', '--type-aware'],
  ],
  [
    ['format', 'oxfmt', '--check'],
    ['regular expressions take linear time', 'scripts/check-regexes.ts'],
    ['unused files, exports and dependencies', 'knip'],
  ],
]
/**
 * For the two programs in Go, which share the processors with tests: one thread, and fewer collections of a larger heap.
 * Together they take half the processor time.
 */
const ENVIRONMENT = { ...process.env, GOMAXPROCS: '1', GOGC: '400' }
const TESTS: Check = ['unit tests and architecture', 'vitest', 'run', ...UNITS]

let passed = 0
let failed = 0

async function runAll(checks: readonly Check[]): Promise<void> {
  for (const [name, tool, ...args] of checks) {
    const started = performance.now()
    const { isOk, stdout, stderr } = await run(tool, args)
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    const told = tool === 'oxlint' ? warningsOf(stdout) : ''
    process.stdout.write(`${isOk ? 'ok    ' : 'FAILED'}  ${name} (${seconds} s)${told}\n`)
    if (isOk) passed++
    else failed++
    if (!isOk) process.stdout.write(`\n${tool === 'oxlint' ? withoutWarnings(stdout) : stdout}${stderr}\n`)
  }
}

function run(tool: string, args: readonly string[]): Promise<{ isOk: boolean; stdout: string; stderr: string }> {
  const launcher = join(root, 'scripts', 'launch.mjs')
  const script = tool.endsWith('.ts') ? [join(root, tool)] : [launcher, 'run', tool]
  const options = { cwd: root, env: ENVIRONMENT, maxBuffer: 64_000_000 }
  return new Promise((resolve) => {
    execFile(process.execPath, [...script, ...args], options, (error, stdout, stderr) =>
      resolve({
        isOk: error === null,
        stdout,
        stderr: `${stderr}${typeof error?.code === 'string' ? error.message : ''}`,
      }),
    )
  })
}

await Promise.all(CHECKS.map(runAll))
if (!values.static) await runAll([TESTS])
if (values.out) {
  writeFileSync(values.out, JSON.stringify({ numPassedTests: passed, numFailedTests: failed }))
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
