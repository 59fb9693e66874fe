// Prints "N passed, N failed" over the result files of checks and tests, and exits with the worst of their codes.
//
//   node scripts/sum-results.mjs RESULTS.json EXIT_CODE [RESULTS.json EXIT_CODE]…
import { existsSync, readFileSync } from 'node:fs'

/** @typedef {{numPassedTests: number, numFailedTests: number, numPendingTests?: number, numTodoTests?: number, testResults?: {status: string, assertionResults: unknown[]}[]}} Results */

const args = process.argv.slice(2)
const total = { passed: 0, failed: 0, skipped: 0 }
for (let at = 0; at < args.length; at += 2) {
  const one = count(args[at] ?? '', Number(args[at + 1]))
  total.passed += one.passed
  total.failed += one.failed
  total.skipped += one.skipped
}
process.stdout.write(
  `${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}\n`,
)
process.exitCode = total.failed > 0 ? 1 : 0

/**
 * @param {string} file
 * @param {number} exitCode of the command that wrote it; a failure without a failed test counts as one
 */
function count(file, exitCode) {
  if (!existsSync(file)) return { passed: 0, failed: 1, skipped: 0 }
  /** @type {Results} */
  const results = JSON.parse(readFileSync(file, 'utf8'))
  // A test file that failed to load has no failed tests.
  const unloaded = (results.testResults ?? []).filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  )
  const failed = results.numFailedTests + unloaded.length
  return {
    passed: results.numPassedTests,
    failed: failed === 0 && exitCode !== 0 ? 1 : failed,
    skipped: (results.numPendingTests ?? 0) + (results.numTodoTests ?? 0),
  }
}
