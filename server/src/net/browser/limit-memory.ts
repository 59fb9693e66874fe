import { readFileSync, readdirSync } from 'node:fs'

/**
 * Megabytes of all processes of the browser, without what they share. Two simple pages take 270, and an application for reading
 * documentation some 50 more.
 */
const MEMORY_MB = 400
/** A page fills some 100 MB in this time. Looking takes a millisecond. */
const LOOK_EVERY_MS = 200
/** After one was ended, before the next: what it took is not given back at once. */
const REST_LOOKS = 8
/** Of memory, in the kernel's figures (getconf PAGESIZE), on the processors that the runtime is built for. */
const PAGE_KIB = 4

/**
 * Ends the largest process of a group, other than the first, whenever the group takes more than that: of a browser the one that shows
 * the page which took it. On Linux only. Returns what ends the watch.
 */
export function limitMemory(group: number, limitMb = MEMORY_MB): () => void {
  if (process.platform !== 'linux') return () => undefined
  let rest = 0
  const look = () => {
    if (--rest > 0) return
    const members = membersOf(group)
    const total = members.reduce((sum, { mb }) => sum + mb, 0)
    if (total <= limitMb) return
    // What floods the browser itself is a page, and goes with that; the browser alone goes where it is too large alone.
    const leader = members.find(({ pid, mb }) => pid === group && mb > limitMb)
    const largest = leader ?? members.filter(({ pid }) => pid !== group).toSorted((a, b) => b.mb - a.mb)[0]
    if (largest) endProcess(largest.pid)
    rest = REST_LOOKS
  }
  const timer = setInterval(look, LOOK_EVERY_MS).unref()
  return () => clearInterval(timer)
}

function membersOf(group: number): { pid: number; mb: number }[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const [, , pgrp] = readFileSync(`/proc/${name}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')
      if (pgrp !== String(group)) return []
      const [, resident = 0, shared = 0] = readFileSync(`/proc/${name}/statm`, 'utf8').split(' ').map(Number)
      return [{ pid: Number(name), mb: ((resident - shared) * PAGE_KIB) / 1024 }]
    } catch {
      // It has just ended.
      return []
    }
  })
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    // That it has ended already is what is wanted.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
