import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ensureBuilds } from './launch/builds.mjs'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'docent builds test-'))
  write('widget/src/main.ts', 'one')
  write('contract/a.ts', 'two')
  write('scripts/licences.mjs', '')
  write('package-lock.json', '{}')
  bundler(COUNTING)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function write(path: string, content: string): void {
  mkdirSync(join(folder, path, '..'), { recursive: true })
  writeFileSync(join(folder, path), content)
}

const bundler = (body: string) => write('node_modules/vite/bin/vite.js', body)
/** Leaves a mark for each of its runs. */
const COUNTING = `const fs = require('node:fs'); fs.mkdirSync('../dist/widget', { recursive: true }); fs.appendFileSync('../dist/widget/runs', 'x')`
const build = () => ensureBuilds(folder, process.execPath)
const runs = () => readFileSync(join(folder, 'dist/widget/runs'), 'utf8').length

test('builds once, and again when a source or a shared source has changed', async () => {
  await build()
  await build()
  expect(runs()).toBe(1)
  write('widget/src/main.ts', 'other')
  await build()
  write('contract/a.ts', 'other')
  await build()
  write('contract/a.test.ts', 'a test')
  await build()
  expect(runs()).toBe(3)
})

test('builds once for several launchers at the same time', async () => {
  await Promise.all([build(), build(), build()])
  expect(runs()).toBe(1)
})

test('reports what the bundler said, and tries again the next time', async () => {
  bundler(`process.stderr.write('no such module'); process.exit(1)`)
  await expect(build()).rejects.toThrow(/The widget could not be built[^]*no such module/)
  bundler(COUNTING)
  await build()
  expect(runs()).toBe(1)
})

test('builds nothing in a checkout without browser files', async () => {
  rmSync(join(folder, 'widget'), { recursive: true })
  await build()
  expect(existsSync(join(folder, 'widget'))).toBe(false)
})
