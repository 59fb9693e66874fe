import { readFileSync, writeFileSync } from 'node:fs'
import { differences } from '#lib/operating-system.ts'

/** If the machine runs out of memory, the kernel kills this process before the service. */
export function chooseFirst(pid: number): void {
  if (!differences.hasProcFiles) return
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, '1000')
  } catch {
    // It has ended, or the system refuses. This is only an extra precaution.
  }
}

/** Resident memory of a process in megabytes. 0 if it has ended. */
export function residentMb(pid: number): number {
  try {
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    // It has just ended. The exit event reports that.
    return 0
  }
}

/** Linux reports processor time in hundredths of a second, whatever its internal clock (proc_pid_stat(5)). */
const MS_PER_TICK = 10

/** Processor time of a process in milliseconds. Null if the system does not report it, or the process has ended. */
export function usedCpuMs(pid: number): number | null {
  if (!differences.hasProcFiles) return null
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The second field is the program name in parentheses and can contain spaces. utime and stime are fields 14 and 15.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const [utime, stime] = fields.slice(11, 13)
    const ticks = Number(utime) + Number(stime)
    return Number.isFinite(ticks) ? ticks * MS_PER_TICK : null
  } catch {
    // It has just ended. The exit event reports that.
    return null
  }
}

/** True if a process with this id exists. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // A process of another user exists, but takes no signals.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** On a busy machine a low-priority process gets about a tenth of a processor. A longer wait would look like a hang. */
const WALL_FACTOR = 6
const LEAST_WALL_MS = 30_000

/** Why a task exceeded its limit, or null. `busy`: it did not get the processor time within a multiple of it. */
export function overLimit({ elapsedMs, cpuMs }: { elapsedMs: number; cpuMs: number | null }, limitMs: number) {
  if ((cpuMs ?? elapsedMs) >= limitMs) return 'deadline'
  return elapsedMs >= Math.max(limitMs * WALL_FACTOR, LEAST_WALL_MS) ? 'busy' : null
}
