import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/** Clock ticks of /proc in a second. */
const TICKS = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))
const LOOK_EVERY_MS = 50

/** CPU time of all threads of a process so far, and of the processes that it started, in milliseconds. Linux only. */
export function cpuMs(pid: number): number {
  let ticks = 0
  for (const one of treeOf(pid)) {
    const stat = read(`/proc/${one}/stat`)
    // The command's name is in brackets and may hold blanks; 14 to 17 are user and system time, its own and that of
    // those it started which have ended.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    for (let field = 11; field <= 14; field++) ticks += Number(fields[field] ?? 0)
  }
  return (ticks * 1000) / TICKS
}

/**
 * Memory that a process and those it started hold now, in megabytes. The program, which they share, is counted once: of
 * the others only what is their own. Linux only.
 */
export function residentMb(pid: number): number {
  const [own = 0, ...others] = treeOf(pid).map((one, at) => {
    const name = at === 0 ? 'VmRSS' : 'RssAnon'
    return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(read(`/proc/${one}/status`))?.[1] ?? 0)
  })
  return Math.round(others.reduce((sum, some) => sum + some, own) / 1000)
}

/** The same with everything that each of them holds, shared or not: what `ps` shows, added up. */
function summedMb(pid: number): number {
  const kilobytes = treeOf(pid).map((one) => Number(/^VmRSS:\s+(\d+) kB/m.exec(read(`/proc/${one}/status`))?.[1] ?? 0))
  return Math.round(kilobytes.reduce((sum, some) => sum + some, 0) / 1000)
}

/**
 * Looks at the memory of a process and those it started, and says at the end how much it was at most; `mostSummed` counts
 * what they share once for each.
 */
export function watchMemory(pid: number): { most: () => number; mostSummed: () => number } & Disposable {
  let most = 0
  let mostSummed = 0
  const timer = setInterval(() => {
    most = Math.max(most, residentMb(pid))
    mostSummed = Math.max(mostSummed, summedMb(pid))
  }, LOOK_EVERY_MS)
  return { most: () => most, mostSummed: () => mostSummed, [Symbol.dispose]: () => clearInterval(timer) }
}

function treeOf(pid: number): number[] {
  const children = tasksOf(pid).flatMap((task) => read(`/proc/${pid}/task/${task}/children`).trim().split(' '))
  return [pid, ...children.filter(Boolean).flatMap((child) => treeOf(Number(child)))]
}

function tasksOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`)
  } catch {
    return []
  }
}

/** Empty for what has ended since it was seen. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
