import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/** Clock ticks of /proc per second. */
const TICKS = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))
const LOOK_EVERY_MS = 50

/** CPU milliseconds of a process and its children so far, over all threads. Linux only. */
export function cpuMs(pid: number): number {
  let ticks = 0
  for (const one of treeOf(pid)) {
    const stat = read(`/proc/${one}/stat`)
    // The command's name is in brackets and may contain spaces. Fields 14 to 17 are user and system time, of the
    // process and of its children that have ended.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    for (let field = 11; field <= 14; field++) ticks += Number(fields[field] ?? 0)
  }
  return (ticks * 1000) / TICKS
}

/**
 * Megabytes now held by a process and its children. Shared program memory is counted once: for children only private
 * memory counts. Linux only.
 */
export function residentMb(pid: number): number {
  const [own = 0, ...others] = treeOf(pid).map((one, at) => {
    const name = at === 0 ? 'VmRSS' : 'RssAnon'
    return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(read(`/proc/${one}/status`))?.[1] ?? 0)
  })
  return Math.round(others.reduce((sum, some) => sum + some, own) / 1000)
}

/** Megabytes of a process and its children, with shared memory divided among them (PSS). Linux only. */
export function pssMb(pid: number): number {
  const kilobytes = treeOf(pid).map((one) =>
    Number(/^Pss:\s+(\d+) kB/m.exec(read(`/proc/${one}/smaps_rollup`))?.[1] ?? 0),
  )
  return Math.round(kilobytes.reduce((sum, some) => sum + some, 0) / 1000)
}

/** Like `residentMb`, but with all memory of each process, shared or not, as in `ps`. */
function summedMb(pid: number): number {
  const kilobytes = treeOf(pid).map((one) => Number(/^VmRSS:\s+(\d+) kB/m.exec(read(`/proc/${one}/status`))?.[1] ?? 0))
  return Math.round(kilobytes.reduce((sum, some) => sum + some, 0) / 1000)
}

export type Usage = {
  /** MiB of the process; `anonymousMb` excludes file-backed memory. */
  rssMb: number
  anonymousMb: number
  /** MiB of the process and its children, with shared pages counted once. */
  treePssMb: number
  threads: number
  descriptors: number
}

/** Current resource usage of a process. Linux only. */
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
 * Samples the memory of a process and its children. `most` is the peak; `mostSummed` counts shared memory once per
 * process.
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

/** Names in a folder of /proc; none for a process that has exited. */
function entriesOf(path: string): string[] {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}

/** Empty for a process that has exited. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
