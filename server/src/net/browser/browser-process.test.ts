import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { findBrowser } from './browser-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'docent-test-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const put = (name: string, mode: number) => {
  const path = join(folder, name)
  writeFileSync(path, '#!/bin/sh\n')
  chmodSync(path, mode)
  return path
}

test('finds the browser on the path by its names, or uses or disables it as configured', () => {
  expect(findBrowser({ wanted: '', searchPath: folder })).toBeNull()
  const chrome = put('google-chrome', 0o755)
  mkdirSync(join(folder, 'chromium'))
  expect(findBrowser({ wanted: '', searchPath: ['/nowhere', folder].join(delimiter) })).toBe(chrome)
  expect(findBrowser({ wanted: 'off', searchPath: folder })).toBeNull()
  const other = put('other', 0o755)
  expect(findBrowser({ wanted: other, searchPath: folder })).toBe(other)
})

test.each(['/nowhere/at/all', folder])('refuses %s', (wanted) => {
  expect(() => findBrowser({ wanted, searchPath: '' })).toThrow('names no program that can be run')
})
