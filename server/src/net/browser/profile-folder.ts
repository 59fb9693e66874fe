import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const NAME = /^docent-browser-(\d+)-/

/** A folder for one run of the browser, deleted with it. Folders that processes have left which were killed go first. */
export async function makeProfile(): Promise<AsyncDisposable & { path: string }> {
  for (const name of await readdir(tmpdir())) {
    const pid = NAME.exec(name)?.[1]
    if (pid !== undefined && !isAlive(Number(pid))) await remove(join(tmpdir(), name))
  }
  const path = await mkdtemp(join(tmpdir(), `docent-browser-${process.pid}-`))
  return { path, [Symbol.asyncDispose]: () => remove(path) }
}

/** A process of the browser that is just ending may still write. */
function remove(path: string): Promise<void> {
  return rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
