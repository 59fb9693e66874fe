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

/** Memory of a process and those it started, with what several hold shared out among them. Linux only. */
export function pssMb(pid: number): number {
  const kilobytes = treeOf(pid).map((one) =>
    Number(/^Pss:\s+(\d+) kB/m.exec(read(`/proc/${one}/smaps_rollup`))?.[1] ?? 0),
  )
  return Math.round(kilobytes.reduce((sum, some) => sum + some, 0) / 1000)
}

/** What `residentMb` gives, with everything that each of them holds, shared or not: what `ps` shows, added up. */
function summedMb(pid: number): number {
  const kilobytes = treeOf(pid).map((one) => Number(/^VmRSS:\s+(\d+) kB/m.exec(read(`/proc/${one}/status`))?.[1] ?? 0))
  return Math.round(kilobytes.reduce((sum, some) => sum + some, 0) / 1000)
}

export type Usage = {
  /** MiB of the process itself, and of that what is no file. */
  rssMb: number
  anonymousMb: number
  /** MiB of the process and those it started; pages that several of them share count once. */
  treePssMb: number
  threads: number
  descriptors: number
}

/** What a process holds now. Linux only. */
export function readUsage(pid: number): Usage {
  const status = read(`/proc/${pid}/status`)
  const mib = (text: string, name: string) => (numberAfter(text, name) * 1024) / 2 ** 20
  const round = (value: number) => Math.round(10 * value) / 10
  const pss = treeOf(pid).map((one) => mib(read(`/proc/${one}/smaps_rollup`), 'Pss'))
  return {
    rssMb: round(mib(status, 'VmRSS')),
    anonymousMb: round(mib(status, 'RssAnon')),
    treePssMb: round(pss.reduce((sum, one) => sum + one, 0)),
    threads: numberAfter(status, 'Threads'),
    descriptors: entriesOf(`/proc/${pid}/fd`).length,
  }
}

function numberAfter(text: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0)
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
  const children = entriesOf(`/proc/${pid}/task`).flatMap((task) =>
    read(`/proc/${pid}/task/${task}/children`).trim().split(' '),
  )
  return [pid, ...children.filter(Boolean).flatMap((child) => treeOf(Number(child)))]
}

/** Names in a folder of /proc; none for what has ended since it was seen. */
function entriesOf(path: string): string[] {
  try {
    return readdirSync(path)
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
