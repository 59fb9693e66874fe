import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

/** A test file with one test for each letter of `states`: `p` for one that passed, `f` for one that failed. */
function file(name: string, states: string) {
  const assertionResults = [...states].map((letter, at) => {
    return { fullName: `test ${at}`, status: letter === 'p' ? 'passed' : 'failed' }
  })
  return {
    name: join(root, name),
    status: states === '' || states.includes('f') ? 'failed' : 'passed',
    assertionResults,
  }
}

/** Repeats what failed in `first` with a command that reports `second`, and says what was run with which result. */
function repeat(first: ReturnType<typeof file>[], second: ReturnType<typeof file>[]) {
  const folder = mkdtempSync(join(tmpdir(), 'docent-repeat-'))
  const [results, ran, command] = ['results.json', 'ran.json', 'command.mjs'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  writeFileSync(results, JSON.stringify({ testResults: first }))
  writeFileSync(
    command,
    `import { writeFileSync } from 'node:fs'
    const args = process.argv.slice(2)
    const output = args.find((arg) => arg.startsWith('--outputFile.json=')).split('=')[1]
    writeFileSync(${JSON.stringify(ran)}, JSON.stringify(args.filter((arg) => !arg.startsWith('--'))))
    writeFileSync(output, ${JSON.stringify(JSON.stringify({ testResults: second }))})
    process.exitCode = ${second.some(({ status }) => status === 'failed') ? 1 : 0}`,
  )
  const failed = first.some(({ status }) => status === 'failed')
  const { status, stdout } = spawnSync(
    process.execPath,
    [join(root, 'scripts/repeat-failed.mjs'), results, failed ? '1' : '0', '--', process.execPath, command],
    { encoding: 'utf8', cwd: root },
  )
  const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(results, 'utf8'))
  const repeated = existsSync(ran) ? JSON.parse(readFileSync(ran, 'utf8')) : []
  rmSync(folder, { recursive: true })
  return { status, stdout, repeated, numPassedTests, numFailedTests }
}

test('repeats nothing if all test files passed', () => {
  expect(repeat([file('a.test.ts', 'pp')], [])).toMatchObject({ status: 0, stdout: '', repeated: [] })
})

test('counts the second result of a failed test file and names the tests that passed alone', () => {
  const first = [file('a.test.ts', 'pp'), file('b.test.ts', 'pf')]
  expect(repeat(first, [file('b.test.ts', 'pp')])).toEqual({
    status: 0,
    stdout: '\nRepeating b.test.ts\n\nFailed beside other files and passed alone:\n  b.test.ts: test 1\n\n',
    repeated: ['b.test.ts'],
    numPassedTests: 4,
    numFailedTests: 0,
  })
})

test('fails if a test fails again', () => {
  const first = [file('a.test.ts', 'pf'), file('b.test.ts', 'f')]
  const again = repeat(first, [file('a.test.ts', 'pf'), file('b.test.ts', 'p')])
  expect(again).toMatchObject({ status: 1, numPassedTests: 2, numFailedTests: 1 })
  expect(again.stdout).toContain('passed alone:\n  b.test.ts: test 0\n')
  expect(again.stdout).not.toContain('a.test.ts: ')
})

test('names a test file that could not be loaded at first', () => {
  expect(repeat([file('a.test.ts', '')], [file('a.test.ts', 'p')]).stdout).toContain('passed alone:\n  a.test.ts\n')
})

test.each([
  [5, 5],
  [6, 0],
])('repeats up to five failed test files: of %i, %i', (failed, repeated) => {
  const first = Array.from({ length: failed }, (_, at) => file(`${at}.test.ts`, 'f'))
  const again = repeat(first, first.slice(0, 1))
  expect(again.status).toBe(1)
  expect(again.repeated).toHaveLength(repeated)
})

test('keeps the failure of test files that the repetition does not report', () => {
  expect(repeat([file('a.test.ts', 'f'), file('b.test.ts', 'p')], [])).toMatchObject({ numFailedTests: 1 })
})
