import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'

function sum(...runs: [results: object | null, exitCode: number][]) {
  const folder = mkdtempSync(join(tmpdir(), 'docent-sum-'))
  const args = runs.flatMap(([results, exitCode], at) => {
    const file = join(folder, `${at}.json`)
    if (results) writeFileSync(file, JSON.stringify(results))
    return [file, String(exitCode)]
  })
  const { status, stdout } = spawnSync(process.execPath, [join(import.meta.dirname, 'sum-results.mjs'), ...args], {
    encoding: 'utf8',
  })
  rmSync(folder, { recursive: true })
  return { status, stdout }
}

const results = (passed: number, failed: number) => ({ numPassedTests: passed, numFailedTests: failed })

test.each([
  [
    'adds up passed tests',
    [
      [results(4, 0), 0],
      [results(9, 0), 0],
    ],
    0,
    '13 passed, 0 failed\n',
  ],
  [
    'adds up failed tests',
    [
      [results(4, 0), 0],
      [results(9, 1), 1],
    ],
    1,
    '13 passed, 1 failed\n',
  ],
  ['adds up skipped tests', [[{ ...results(4, 0), numPendingTests: 2 }, 0]], 0, '4 passed, 0 failed, 2 skipped\n'],
  [
    'counts a run without results as a failure',
    [
      [results(4, 0), 0],
      [null, 1],
    ],
    1,
    '4 passed, 1 failed\n',
  ],
  ['counts a run that failed outside of its tests as a failure', [[results(4, 0), 1]], 1, '4 passed, 1 failed\n'],
  [
    'counts a file that failed to load as a failure',
    [[{ ...results(4, 0), testResults: [{ status: 'failed', assertionResults: [] }] }, 1]],
    1,
    '4 passed, 1 failed\n',
  ],
] as [string, [object | null, number][], number, string][])('%s', (_, runs, status, stdout) => {
  expect(sum(...runs)).toEqual({ status, stdout })
})
