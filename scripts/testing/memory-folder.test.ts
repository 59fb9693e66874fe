import { expect, test } from 'vitest'
import { memoryFolder } from './memory-folder.ts'

test('names a folder in memory only if it has room', () => {
  expect([null, '/dev/shm']).toContain(memoryFolder())
  expect(memoryFolder(Number.MAX_SAFE_INTEGER)).toBeNull()
})
