import { readFileSync, readdirSync } from 'node:fs'

/**
 * Memory of all browser processes without shared pages, in megabytes. Two simple pages take 270, a documentation
 * application about 50 more.
 */
const MEMORY_MB = 400
/** A page fills about 100 MB in this time. A check takes a millisecond. */
const LOOK_EVERY_MS = 200
/** Checks skipped after a kill, because its memory is not freed immediately. */
const REST_LOOKS = 8
/** Kernel page size (getconf PAGESIZE) on the processors that the runtime supports. */
const PAGE_KIB = 4

/**
 * Kills the largest process of a group, except the first, whenever the group exceeds the limit. In a browser that is
 * the renderer of the offending page. Linux only. Returns a function that ends the watch.
 */
export function limitMemory(group: number, limitMb = MEMORY_MB): () => void {
  if (process.platform !== 'linux') return () => undefined
  let rest = 0
  const look = () => {
    if (--rest > 0) return
    const members = membersOf(group)
    const total = members.reduce((sum, { mb }) => sum + mb, 0)
    if (total <= limitMb) return
    // A page that floods the browser process dies with it. The browser process is killed only if it exceeds the limit
    // alone.
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
    // It has already ended, as wanted.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
