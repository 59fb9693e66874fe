import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isAlive } from '@docent/server/workers/process-status.ts'

/** The process id in the data folder. `isAlive` is false if a service died without removing it. */
export type NotedProcess = { pid: number; isAlive: boolean }

/** Reads `docent.pid` in the data folder. Null if there is none, or if it is this process, as in a container. */
export function readNotedProcess(dataDir: string): NotedProcess | null {
  try {
    const pid = Number.parseInt(readFileSync(join(dataDir, 'docent.pid'), 'utf8'), 10)
    if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return null
    return { pid, isAlive: isAlive(pid) }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}
