import { accessSync, constants, statSync, readFileSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { ConfigError } from '#config.ts'
import { differences } from '#lib/operating-system.ts'
import { isAlive } from '#workers/process-status.ts'
import chromium from './chromium-switches.json' with { type: 'json' }

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']

type Where = {
  /** Path of a program, `off`, or empty to search. */
  wanted: string
  /** Folders to search, in PATH format. */
  searchPath: string
}

/** Finds the program that renders pages. Null if none is found or it is disabled. Throws `ConfigError`. */
export function findBrowser({ wanted, searchPath }: Where): string | null {
  if (wanted === 'off') return null
  if (wanted !== '') {
    if (isProgram(wanted)) return wanted
    throw new ConfigError(
      `DOCENT_BROWSER names no program that can be run: ${wanted}. Give the path of Chromium, or "off".`,
    )
  }
  const folders = searchPath.split(delimiter).filter(Boolean)
  const candidates = NAMES.flatMap((name) => folders.map((folder) => join(folder, name + differences.programEnding)))
  return candidates.find(isProgram) ?? null
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/** Never resolves. Traffic that we do not answer (such as WebSockets) goes to this proxy and fails on this machine. */
const NOWHERE = 'nowhere.invalid:1'

/** JavaScript heap per page in megabytes. Documentation applications stay below 100. */
const HEAP_MB = 256

type Launch = { profile: string; userAgent: string; sandbox: boolean }

/** Chromium's switches: headless, no network, no persistent data, and no features besides showing a page. */
export function browserFlags({ profile, userAgent, sandbox }: Launch): string[] {
  return [
    '--headless',
    '--remote-debugging-pipe',
    '--no-startup-window',
    `--user-data-dir=${profile}`,
    `--disk-cache-dir=${profile}/cache`,
    `--user-agent=${userAgent}`,
    ...(sandbox ? [] : ['--no-sandbox']),
    `--proxy-server=${NOWHERE}`,
    // Without this, loopback addresses bypass every proxy.
    '--proxy-bypass-list=<-loopback>',
    '--host-resolver-rules=MAP * ~NOTFOUND',
    `--disable-features=${chromium.disabledFeatures.join(',')}`,
    ...chromium.switches,
    // Containers have only 64 MB of shared memory.
    '--disable-dev-shm-usage',
    `--js-flags=--max-old-space-size=${HEAP_MB}`,
  ]
}

/** Memory of all browser processes without shared pages, in megabytes. Two simple pages take 270. */
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
  if (!differences.hasProcFiles) return () => undefined
  let rest = 0
  const look = () => {
    if (--rest > 0) return
    const members = membersOf(group)
    const total = members.reduce((sum, { mb }) => sum + mb, 0)
    if (total <= limitMb) return
    // A page that floods the browser process dies with it, which is killed only if it exceeds the limit alone.
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

/** Kills a process, or with a negative id its group, unless it has already ended. */
export function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

const NAME = /^docent-browser-(\d+)-/

/** Creates a profile folder for one browser run. First removes folders left by killed processes. */
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
