import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
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
  await vi.waitFor(async () => expect(await sizeOf(path)).toBeGreaterThan(6 * MB), 50_000)
  // The file grows before the merge ends. A write before that end waits for the next merge, so writes are rare here.
  await vi.waitFor(
    async () => {
      merger.written()
      await sleep(1_000)
      const log = await sizeOf(`${path}-wal`)
      write(MB)
      expect(await sizeOf(`${path}-wal`)).toBe(log)
    },
    { timeout: 50_000 },
  )
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
  const posted = vi.spyOn(Worker.prototype, 'postMessage')
  // Threads of other tests may still run and end.
  const merging = () => posted.mock.contexts.filter((_, at) => posted.mock.calls[at]?.[0] === 'merge')
  const emitted = vi.spyOn(Worker.prototype, 'emit')
  const hasAnswered = () =>
    emitted.mock.contexts.some((thread, at) => merging().includes(thread) && emitted.mock.calls[at]?.[0] === 'message')
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => {
    posted.mockRestore()
    emitted.mockRestore()
    vi.useRealTimers()
  })
  write(6 * MB)
  merger.written()
  // `vi.waitFor` would advance the clock.
  while (!hasAnswered()) await sleep(20)
  expect(await sizeOf(path)).toBeGreaterThan(6 * MB)
  write(6 * MB)
  vi.advanceTimersByTime(499)
  merger.written()
  await sleep(100)
  expect(merging()).toHaveLength(1)
  vi.advanceTimersByTime(1)
  merger.written()
  while (merging().length < 2) await sleep(20)
})

/** Counts the restarts of the log ("checkpoint sequence number", https://sqlite.org/fileformat2.html#walformat). */
const restartsOf = async (path: string) => (await readFile(`${path}-wal`)).readUInt32BE(12)

test('restarts the log in the thread before the next write', async () => {
  const { path, database, write } = openUnmerged()
  database.exec('pragma user_version = 7')
  const onError = vi.fn<(error: Error) => void>()
  await using merger = new LogMerger(path, onError)
  write(6 * MB)
  await merger.beforeWrite()
  const before = await restartsOf(path)
  merger.written()
  await vi.waitFor(async () => {
    await merger.beforeWrite()
    expect(await restartsOf(path)).toBe(before + 1)
  }, 50_000)
  write(MB)
  await merger.beforeWrite()
  expect(await restartsOf(path)).toBe(before + 1)
  expect(database.prepare('pragma user_version').get()).toEqual({ user_version: 7 })
  expect(onError).not.toHaveBeenCalled()
})

test('does not hold up a write while another process has the write lock', async () => {
  const { path, database, write } = openUnmerged()
  const onError = vi.fn<(error: Error) => void>()
  await using merger = new LogMerger(path, onError)
  const tasks = vi.spyOn(Worker.prototype, 'postMessage')
  onTestFinished(() => tasks.mockRestore())
  write(6 * MB)
  merger.written()
  await vi.waitFor(async () => expect(await sizeOf(path)).toBeGreaterThan(6 * MB), 50_000)
  database.exec('begin immediate')
  await vi.waitFor(async () => {
    await merger.beforeWrite()
    expect(tasks).toHaveBeenCalledWith('restart')
  }, 50_000)
  database.exec('rollback')
  expect(onError).not.toHaveBeenCalled()
})

test('does not hold up a write if the thread ends before it answers', async () => {
  const { path, write } = openUnmerged()
  await using merger = new LogMerger(path, () => {})
  const post = vi.spyOn(Worker.prototype, 'postMessage')
  onTestFinished(() => post.mockRestore())
  write(6 * MB)
  merger.written()
  await vi.waitFor(async () => expect(await sizeOf(path)).toBeGreaterThan(6 * MB), 50_000)
  post.mockImplementation(function (this: Worker) {
    void this.terminate()
  })
  await vi.waitFor(async () => {
    await merger.beforeWrite()
    expect(post).toHaveBeenCalledWith('restart')
  }, 50_000)
})

test('lets the last handle remove the log', async () => {
  const { path, database, write } = openUnmerged()
  const merger = new LogMerger(path, () => {})
  write(6 * MB)
  merger.written()
  await vi.waitFor(async () => expect(await sizeOf(path)).toBeGreaterThan(6 * MB), 50_000)
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
  await vi.waitFor(() => expect(onError).toHaveBeenCalledOnce(), 50_000)
  expect(onError.mock.lastCall?.[0]).toMatchObject({ errcode: 26, message: expect.stringContaining('not a database') })
})
