import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test, vi } from 'vitest'
import { LogMerger } from './log-merger.ts'

const MB = 1_000_000

function makePath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'docent-log-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return join(folder, 'test.sqlite')
}

/** A database whose handle never merges the log itself. */
function openUnmerged() {
  const path = makePath()
  const database = new DatabaseSync(path)
  onTestFinished(() => (database.isOpen ? database.close() : undefined))
  database.exec('pragma journal_mode = wal; pragma wal_autocheckpoint = 0; create table t (data blob)')
  const insert = database.prepare('insert into t values (zeroblob(?))')
  return { path, database, write: (bytes: number) => void insert.run(bytes) }
}

const sizeOf = async (path: string) => (await stat(path)).size

test('merges a long log, so that later writes overwrite it', async () => {
  const { path, write } = openUnmerged()
  const onError = vi.fn<(error: Error) => void>()
  await using merger = new LogMerger(path, onError)
  write(6 * MB)
  expect(await sizeOf(path)).toBeLessThan(MB)
  merger.written()
  await vi.waitFor(async () => expect(await sizeOf(path)).toBeGreaterThan(6 * MB), 10_000)
  const log = await sizeOf(`${path}-wal`)
  write(5 * MB)
  expect(await sizeOf(`${path}-wal`)).toBe(log)
  expect(onError).not.toHaveBeenCalled()
})

test('leaves a short log for later', async () => {
  const { path, write } = openUnmerged()
  await using merger = new LogMerger(path, () => {})
  write(3 * MB)
  merger.written()
  await expect(vi.waitFor(async () => expect(await sizeOf(path)).toBeGreaterThan(MB), 1_000)).rejects.toThrow()
})

test('waits half a second before it merges again', async () => {
  const { path, write } = openUnmerged()
  await using merger = new LogMerger(path, () => {})
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  write(6 * MB)
  merger.written()
  await vi.waitFor(async () => expect(await sizeOf(path)).toBeGreaterThan(6 * MB), 10_000)
  // The thread's answer comes after its last write.
  await sleep(200)
  write(6 * MB)
  vi.advanceTimersByTime(499)
  merger.written()
  await sleep(200)
  expect(await sizeOf(path)).toBeLessThan(12 * MB)
  vi.advanceTimersByTime(1)
  merger.written()
  await vi.waitFor(async () => expect(await sizeOf(path)).toBeGreaterThan(12 * MB), 10_000)
})

test('lets the last handle remove the log', async () => {
  const { path, database, write } = openUnmerged()
  const merger = new LogMerger(path, () => {})
  write(6 * MB)
  merger.written()
  await vi.waitFor(async () => expect(await sizeOf(path)).toBeGreaterThan(6 * MB), 10_000)
  await merger[Symbol.asyncDispose]()
  database.close()
  expect(existsSync(`${path}-wal`)).toBe(false)
})

test('reports why a merge failed', async () => {
  const path = makePath()
  await writeFile(path, 'This is no database. '.repeat(100))
  await writeFile(`${path}-wal`, new Uint8Array(5 * MB))
  const onError = vi.fn<(error: Error) => void>()
  await using merger = new LogMerger(path, onError)
  merger.written()
  await vi.waitFor(() => expect(onError).toHaveBeenCalledOnce(), 10_000)
  expect(onError.mock.lastCall?.[0]).toMatchObject({ errcode: 26, message: expect.stringContaining('not a database') })
})
