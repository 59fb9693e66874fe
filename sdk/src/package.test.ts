import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { operations } from '@docent/contract/operations'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startDocent } from '../../server/test/support/service/harness.ts'

const root = join(import.meta.dirname, '../..')
const run = promisify(execFile)
/** For the compiler, which is in Go: one thread and a larger heap take half the processor time. */
// eslint-disable-next-line node/no-process-env -- npm and Node are found
const env = { ...process.env, GOGC: '400', GOMAXPROCS: '1' }

/** Uses the package as a stranger does, with its types. */
const MAIN = `import { createDocentClient, type Output } from '@docent/sdk'
import { DocentApiError, type ErrorCode } from '@docent/sdk/error'

const [, , baseUrl = '', apiKey = ''] = process.argv
const docent = createDocentClient({ baseUrl, apiKey })
const made: Output<'servers.create'> = await docent.servers.create({ name: 'Packed', uploads: ['manual'] })
const sent = await docent.sources.upload(
  { id: made.slug, name: 'manual', file: 'manual.md' },
  { file: new TextEncoder().encode('# Otters\\n\\nSeven otters share a raft.') },
)
for (;;) {
  const { status } = await docent.servers.progress({ id: made.slug })
  if (status !== 'crawling') break
  await new Promise((resolve) => setTimeout(resolve, 100))
}
const titles: string[] = []
for await (const page of await docent.pages.export({ id: made.slug })) titles.push(page.title ?? '')
const code = await docent.servers.get({ id: 'nobody' }).then(
  () => null,
  (error: unknown): ErrorCode | null => (error instanceof DocentApiError ? error.code : null),
)
console.log(JSON.stringify({ slug: made.slug, type: sent.type, titles, code }))
`

/** Compares each type of the package with its schema. The compiler names those that differ. */
const SAME = `import type { Operations as Plain, ErrorCode as PlainCode } from 'FOLDER/operation-types.js'
import type { Operations as Schemas, ErrorCode as SchemaCode } from 'ROOT/sdk/src/operation-types.ts'
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false
/** Schemas that convert numbers accept anything. The plain types ask for numbers. */
type Takes<A, B> = [A] extends [B] ? Same<keyof A, keyof B> : false
type Differing = {
  [Id in keyof Schemas]: Id extends keyof Plain
    ? Same<Plain[Id]['output'], Schemas[Id]['output']> extends true
      ? Takes<Plain[Id]['input'], Schemas[Id]['input']> extends true
        ? Same<Plain[Id]['isStream'], Schemas[Id]['isStream']> extends true ? never : Id
        : Id
      : Id
    : Id
}[keyof Schemas]
export const differing: Record<Differing, never> = {}
export const sameNames: Same<keyof Plain, keyof Schemas> = true
export const sameCodes: Same<PlainCode, SchemaCode> = true
`

let folder = ''
let built = ''
let packed: { filename: string; size: number; files: { path: string }[] }
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docent-package-test-'))
  built = join(folder, 'package')
  await run(process.execPath, [join(root, 'sdk/build/build-package.ts'), built], { env })
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: built })
  packed = JSON.parse(stdout)[0]
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** The compiler's complaints about a file, with the strictest settings. */
async function compile(file: string, ...more: string[]): Promise<string> {
  const strict =
    '--noEmit --strict --exactOptionalPropertyTypes --module nodenext --target es2022 --checkers 1 --ignoreConfig'
  const args = [join(root, 'node_modules/typescript/bin/tsc'), ...strict.split(' '), ...more, file]
  return run(process.execPath, args, { cwd: join(root, 'sdk'), env }).then(
    ({ stdout }) => stdout,
    ({ stdout }: { stdout: string }) => stdout,
  )
}

describe('package of the client', () => {
  test('needs no other package, and contains only what runs and its types', async () => {
    const manifest = JSON.parse(await readFile(join(built, 'package.json'), 'utf8'))
    expect(Object.keys(manifest).filter((name) => /dependencies/i.test(name))).toEqual([])
    expect(manifest).toMatchObject({ name: '@docent/sdk', type: 'module', license: 'Apache-2.0' })
    expect(packed.files.map(({ path }) => path).toSorted()).toEqual([
      'LICENSE',
      'README.md',
      'client.d.ts',
      'client.js',
      'error.d.ts',
      'error.js',
      'errors.js',
      'operation-types.d.ts',
      'operations.js',
      'package.json',
      'read-items.js',
      'request.js',
      'retry.d.ts',
      'retry.js',
    ])
    expect(packed.size).toBeLessThan(60_000)
    for (const { path } of packed.files) {
      const imported = [
        ...(await readFile(join(built, path), 'utf8')).matchAll(/^(?:import|export) .*from '([^']+)'/gm),
      ]
      const outside = imported.flatMap(([, name = '']) => (name.startsWith('./') ? [] : [name]))
      expect([path, path.endsWith('.md') ? [] : outside]).toEqual([path, []])
    }
  })

  test('exports plain types that say the same as the schemas', async () => {
    const file = join(folder, 'same.ts')
    await writeFile(file, SAME.replace('FOLDER', built).replace('ROOT', root))
    const told = await compile(
      file,
      '--allowImportingTsExtensions',
      '--skipLibCheck',
      '--lib',
      'esnext',
      '--types',
      'node',
    )
    expect(told).toBe('')
  })

  test('installs without a network, and runs against a service', async () => {
    await using docent = await startDocent()
    const project = join(folder, 'project')
    await mkdir(project)
    await writeFile(join(project, 'package.json'), '{"type": "module", "private": true}')
    const tarball = join(folder, packed.filename)
    await run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], { cwd: project })
    await writeFile(join(project, 'main.ts'), MAIN)
    expect(
      await compile(join(project, 'main.ts'), '--types', 'node', '--typeRoots', join(root, 'node_modules/@types')),
    ).toBe('')
    const { stdout } = await run(process.execPath, ['main.ts', docent.url, docent.key], { cwd: project })
    expect(JSON.parse(stdout)).toEqual({
      slug: 'packed',
      type: expect.any(String),
      titles: ['Otters'],
      code: 'server_not_found',
    })
  })

  test('knows the address of every operation', async () => {
    const { operations: known } = (await import(join(built, 'operations.js'))) as { operations: object }
    expect(Object.keys(known)).toEqual(Object.keys(operations))
  })
})
