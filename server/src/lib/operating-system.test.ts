import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ROOT } from './place.ts'
import { differencesOf } from './operating-system.ts'

test('Linux lacks no protection, macOS has neither namespaces nor memory limits, and Windows also no file modes', () => {
  expect(differencesOf('linux')).toMatchObject({ hasNamespaces: true, hasProcFiles: true, missing: [] })
  expect(differencesOf('darwin')).toMatchObject({ hasNamespaces: false, hasProcFiles: false, hasFileModes: true })
  expect(differencesOf('win32')).toMatchObject({ hasFileModes: false, hasProcessGroups: false, programEnding: '.exe' })
})

test('SECURITY.md says what protection macOS and Windows lack', () => {
  const text = readFileSync(new URL('SECURITY.md', ROOT), 'utf8')
  const { missing } = differencesOf('win32')
  expect(missing.length).toBeGreaterThan(differencesOf('darwin').missing.length)
  expect(missing.filter((sentence) => !text.includes(sentence))).toEqual([])
})
