import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { BENCHMARKS } from './benchmarks.ts'

const FOLDER = import.meta.dirname
const read = (path: string) => readFileSync(join(FOLDER, path), 'utf8')

function bench(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(FOLDER, 'main.ts'), ...args], {
    encoding: 'utf8',
    env: {},
  })
  return { status, stdout, stderr }
}

describe('benchmarks', () => {
  test('lists the file of every benchmark', () => {
    const files = globSync('*/*.ts', { cwd: FOLDER }).filter((file) => /^export async function run\(/m.test(read(file)))
    const loaded = [...read('benchmarks.ts').matchAll(/import\('#(.+?)'\)/g)].map(([, file]) => file)
    expect(loaded.toSorted()).toEqual(files.toSorted())
  })

  test('knows every benchmark named in the documentation', () => {
    const pages = ['../../README.md', '../../docs/retrieval.md', '../../docs/settings.md', '../../docs/dependencies.md']
    const named = pages.flatMap((page) =>
      [...read(page).matchAll(/npm run bench -- ([\w-]+)/g)].map(([, name]) => name),
    )
    expect(named.length).toBeGreaterThan(5)
    expect(named.filter((name) => !Object.hasOwn(BENCHMARKS, name ?? ''))).toEqual([])
  })

  test.each([[], ['--help']])('lists the benchmarks, one per line', (...args) => {
    const { status, stdout, stderr } = bench(...args)
    expect([status, stderr]).toEqual([0, ''])
    for (const [name, { about, script }] of Object.entries(BENCHMARKS))
      expect(stdout).toMatch(
        new RegExp(`^  npm run ${script === 'bench' ? `bench -- ${name}` : script} +${about}$`, 'm'),
      )
  })

  test.each(['nope', 'toString'])('lists the benchmarks for the unknown name %s', (name) => {
    const { status, stderr } = bench(name)
    expect([status, stderr.split('\n', 1)[0]]).toEqual([2, `There is no benchmark "${name}". There are:`])
    expect(stderr).toContain('npm run bench -- index ')
  })

  test.each([
    ['index', '--help'],
    ['large', '--passages', '10', '-h'],
  ])('shows the usage of a benchmark: %s %s', (...args) => {
    const { status, stdout, stderr } = bench(...args)
    expect([status, stderr]).toEqual([0, ''])
    expect(stdout).toContain(`npm run bench -- ${args[0]} ${BENCHMARKS[args[0] ?? '']?.options} [--out FILE]\n`)
  })

  test.each([
    [['dispatch', '--nope'], "Unknown option '--nope'"],
    [['dispatch', 'nope'], "Unexpected argument 'nope'"],
    [['dispatch', '--rounds'], "Option '--rounds <value>' argument missing"],
    [['dispatch', '--rounds', '1', '--out'], '--out wants the name of a file.'],
    [['index'], 'Name the site with --site URL.'],
    [['eval'], 'Name a set, or a folder of sets.'],
  ])('reports wrong usage without a stack trace: %j', (args, sentence) => {
    const { status, stdout, stderr } = bench(...args)
    expect([status, stdout]).toEqual([2, ''])
    expect(stderr).toContain(sentence)
    expect(stderr).toContain(BENCHMARKS[args[0] ?? '']?.options)
    expect(stderr).not.toMatch(/^ +at /m)
  })

  test('prints results as JSON', () => {
    const { status, stdout } = bench('dispatch', '--rounds', '1')
    expect([status, JSON.parse(stdout).rounds]).toEqual([0, 1])
  })
})
