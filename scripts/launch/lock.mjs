import { randomUUID } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { LaunchError } from './say.mjs'

/** The holder touches its file every BEAT ms. After STALE ms without a touch the holder is considered dead. */
const BEAT = 2_000
const STALE = 30_000

/**
 * Runs `work` under a lock for this checkout, because two launchers at once would delete each other's files.
 *
 * @template T
 * @param {string} path of the lock file
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(path, work) {
  const token = JSON.stringify({ pid: process.pid, host: hostname(), id: randomUUID() })
  let waiting = false
  while (!tryTake(path, token)) {
    if (!waiting) process.stderr.write('docent: Waiting for another set-up in this folder\n')
    waiting = true
    if (!removeIfStale(path)) await sleep(200)
  }
  const beat = setInterval(() => touch(path), BEAT)
  const release = () => {
    clearInterval(beat)
    if (read(path) === token) rmSync(path, { force: true })
  }
  process.once('exit', release)
  try {
    return await work()
  } finally {
    process.off('exit', release)
    release()
  }
}

/**
 * @param {string} path
 * @param {string} token
 */
function tryTake(path, token) {
  try {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, token, { flag: 'wx' })
    return true
  } catch (cause) {
    if (hasCode(cause, 'EEXIST')) return false
    throw new LaunchError(`The checkout must be writable to be set up: ${String(cause)}`)
  }
}

/**
 * Removes the file of a dead holder. It is renamed first, so that only one of several launchers removes it. A file that
 * has become fresh meanwhile is moved back.
 *
 * @param {string} path
 */
function removeIfStale(path) {
  const seen = read(path)
  if (seen === null) return true
  if (!isStale(path, seen)) return false
  const aside = `${path}.${randomUUID()}`
  try {
    renameSync(path, aside)
    if (read(aside) !== seen) linkSync(aside, path)
  } catch (cause) {
    if (!hasCode(cause, 'ENOENT') && !hasCode(cause, 'EEXIST')) throw cause
  }
  rmSync(aside, { force: true })
  return true
}

/**
 * @param {string} path
 * @param {string} token
 */
function isStale(path, token) {
  const untouched = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0)
  if (untouched > STALE) return true
  try {
    const { pid, host } = JSON.parse(token)
    return host === hostname() && !isAlive(pid)
  } catch {
    return false // It is just being written.
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    return process.kill(pid, 0)
  } catch (cause) {
    return hasCode(cause, 'EPERM')
  }
}

/** @param {string} path */
function read(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    if (hasCode(cause, 'ENOENT')) return null
    throw cause
  }
}

/** @param {string} path */
function touch(path) {
  try {
    utimesSync(path, new Date(), new Date())
  } catch (cause) {
    if (!hasCode(cause, 'ENOENT')) throw cause
  }
}

/**
 * @param {unknown} cause
 * @param {string} code
 */
function hasCode(cause, code) {
  return cause instanceof Error && 'code' in cause && cause.code === code
}
