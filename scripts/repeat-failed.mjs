// Runs the test files that failed once more, one at a time, and puts their second results into the result file. What
// fails twice is broken. What fails beside other files only depends on the load of the machine: it is named, so that
// the test can be mended, and does not fail the run. Many failed files are not repeated.
//
//   node scripts/repeat-failed.mjs RESULTS.json EXIT_CODE -- COMMAND…
//
// COMMAND runs test files: their paths and the options for a result file are added to it. Exits with its code, or with
// EXIT_CODE if nothing was repeated.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'

/** @typedef {{status: string, fullName: string}} Assertion */
/** @typedef {{name: string, status: string, assertionResults: Assertion[]}} File */

/** More failures than this are not a matter of load. */
const MOST_FILES = 5

const [resultFile = '', exitCode = '1', , ...command] = process.argv.slice(2)
process.exitCode = repeatFailed(resultFile, Number(exitCode), command)

/**
 * @param {string} file
 * @param {number} code
 * @param {string[]} command
 */
function repeatFailed(file, code, [program = '', ...args]) {
  const failed = read(file).filter(({ status }) => status === 'failed')
  if (failed.length === 0 || failed.length > MOST_FILES) return code
  const paths = failed.map(({ name }) => relative(process.cwd(), name))
  process.stdout.write(`\nRepeating ${paths.join(', ')}\n`)
  const secondFile = `${file}.second`
  const options = ['--maxWorkers=1', '--reporter=default', '--reporter=json', `--outputFile.json=${secondFile}`]
  const { status } = spawnSync(program, [...args, ...paths, ...options], { stdio: 'inherit' })
  const second = read(secondFile)
  const repeated = new Set(second.map(({ name }) => name))
  write(file, [...read(file).filter(({ name }) => !repeated.has(name)), ...second])
  sayWhatPassed(failed, second)
  return status ?? 1
}

/**
 * @param {string} file
 * @returns {File[]}
 */
function read(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).testResults : []
}

/**
 * @param {string} file
 * @param {File[]} testResults
 */
function write(file, testResults) {
  const states = testResults.flatMap(({ assertionResults }) => assertionResults.map(({ status }) => status))
  const numPassedTests = states.filter((status) => status === 'passed').length
  const numFailedTests = states.filter((status) => status === 'failed').length
  const numPendingTests = states.length - numPassedTests - numFailedTests
  writeFileSync(file, JSON.stringify({ numPassedTests, numFailedTests, numPendingTests, testResults }))
}

/**
 * @param {File[]} first
 * @param {File[]} second
 */
function sayWhatPassed(first, second) {
  const passed = new Set(second.filter(({ status }) => status === 'passed').map(({ name }) => name))
  const named = first.filter(({ name }) => passed.has(name)).flatMap(namesOfFailed)
  if (named.length > 0) process.stdout.write(`\nFailed beside other files and passed alone:\n${named.join('')}\n`)
}

/** @param {File} file */
function namesOfFailed({ name, assertionResults }) {
  const path = relative(process.cwd(), name)
  const failed = assertionResults.filter(({ status }) => status === 'failed')
  return failed.length === 0 ? [`  ${path}\n`] : failed.map(({ fullName }) => `  ${path}: ${fullName}\n`)
}
