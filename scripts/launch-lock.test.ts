import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, utimesSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { withLock } from './launch/lock.mjs'
import { useFolder } from './testing/use-folder.ts'

const used = useFolder()
const { write } = used

describe('lock', () => {
  const path = () => join(used.folder, '.runtime', 'setup.lock')

  test('admits one lock holder at a time and leaves nothing behind', async () => {
    let inside = 0
    const order: number[] = []
    const enter = (name: number) =>
      withLock(path(), async () => {
        expect(++inside).toBe(1)
        await sleep(20)
        order.push(name)
        inside--
      })
    await Promise.all([enter(1), enter(2), enter(3)])
    expect(new Set(order)).toEqual(new Set([1, 2, 3]))
    expect(existsSync(path())).toBe(false)
  })

  test('releases the lock when the work fails', async () => {
    await expect(withLock(path(), () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await withLock(path(), () => Promise.resolve('in'))).toBe('in')
  })

  test('takes over the lock of a process that has exited', async () => {
    const { pid } = spawnSync(process.execPath, ['--version'])
    write('.runtime/setup.lock', { pid, host: hostname(), id: 'gone' })
    expect(await withLock(path(), () => Promise.resolve('in'))).toBe('in')
  })

  test('takes over the lock of a holder on another machine without a heartbeat', async () => {
    write('.runtime/setup.lock', { pid: 1, host: 'elsewhere', id: 'gone' })
    utimesSync(path(), new Date(0), new Date(0))
    expect(await withLock(path(), () => Promise.resolve('in'))).toBe('in')
  })

  test('keeps the lock of a living holder', async () => {
    write('.runtime/setup.lock', { pid: process.pid, host: hostname(), id: 'other' })
    const second = withLock(path(), () => Promise.resolve('in'))
    await sleep(300)
    expect(readFileSync(path(), 'utf8')).toContain('"other"')
    rmSync(path())
    expect(await second).toBe('in')
  })
})
