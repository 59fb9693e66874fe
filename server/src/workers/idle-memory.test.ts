import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createIdleMemory } from './idle-memory.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function watch() {
  const world = { bytes: 100, released: 0 }
  const release = () => {
    world.released++
    world.bytes = 60
  }
  const idle = createIdleMemory(release, { quietMs: 3_000, worthBytes: 40, residentBytes: () => world.bytes })
  return { world, idle }
}

test('releases memory once the process has been quiet', () => {
  const { world, idle } = watch()
  for (let second = 0; second < 10; second++) {
    idle.touch()
    vi.advanceTimersByTime(1_000)
  }
  expect(world.released).toBe(0)
  vi.advanceTimersByTime(1_999)
  expect(world.released).toBe(0)
  vi.advanceTimersByTime(1)
  expect(world.released).toBe(1)
  vi.advanceTimersByTime(600_000)
  expect(world.released).toBe(1)
})

test.each([
  ['not for little work', 99, 1],
  ['again for much work', 100, 2],
])('releases memory %s', (_, bytes, released) => {
  const { world, idle } = watch()
  idle.touch()
  vi.advanceTimersByTime(10_000)
  world.bytes = bytes
  idle.touch()
  vi.advanceTimersByTime(10_000)
  expect(world.released).toBe(released)
})

test('releases nothing after its end', () => {
  const { world, idle } = watch()
  idle.touch()
  idle[Symbol.dispose]()
  vi.advanceTimersByTime(10_000)
  expect(world.released).toBe(0)
})
