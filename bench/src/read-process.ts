import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Clock ticks of /proc in a second. */
const TICKS = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))

/** CPU time of all threads of a process so far, in milliseconds. Linux only. */
export function cpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The command's name is in brackets and may hold blanks; user and system time are fields 14 and 15.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS
}

/** Memory that a process holds now and the most that it ever held, in megabytes. Linux only. */
export function residentMb(pid: number): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const of = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0)
  return { now: Math.round(of('VmRSS') / 1000), peak: Math.round(of('VmHWM') / 1000) }
}
