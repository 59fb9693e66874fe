import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isAlive } from '#lib/processes/is-alive.ts'

const NAME = /^docent-browser-(\d+)-/

/**
 * Creates a profile folder for one browser run, deleted on disposal. First removes folders left by killed processes.
 */
export async function makeProfile(): Promise<AsyncDisposable & { path: string }> {
  for (const name of await readdir(tmpdir())) {
    const pid = NAME.exec(name)?.[1]
    if (pid !== undefined && !isAlive(Number(pid))) await remove(join(tmpdir(), name))
  }
  const path = await mkdtemp(join(tmpdir(), `docent-browser-${process.pid}-`))
  return { path, [Symbol.asyncDispose]: () => remove(path) }
}

/** A browser process that is still exiting can write to it. */
function remove(path: string): Promise<void> {
  return rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
}
