import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withLock } from './lock.mjs'
import { installPackages, markerOf } from './npm.mjs'
import { LaunchError, sayStep } from './say.mjs'

/**
 * Installs the dependencies if any that the lockfile names is missing. Takes a millisecond if none is.
 *
 * @param {string} root
 * @param {{dev: boolean}} options whether the development dependencies are needed too
 */
export async function ensureDependencies(root, { dev }) {
  if (isStamped(root, dev) || isComplete(root, dev)) return
  await withLock(join(root, '.runtime', 'setup.lock'), async () => {
    if (isStamped(root, dev) || isComplete(root, dev)) return
    const what = dev ? 'the dependencies, with those for development' : 'the dependencies'
    await sayStep(`Installing ${what}`, async () => {
      removeUnfinished(root)
      await installPackages(root, { dev })
      if (!isComplete(root, dev))
        throw new LaunchError(
          'npm installed something else than package-lock.json names. Does it still fit the package.json files?',
        )
    })
  })
}

/**
 * Removes what an interrupted installation has left. A finished one has a record and no marker.
 *
 * @param {string} root
 */
function removeUnfinished(root) {
  if (existsSync(recordPath(root)) && !existsSync(markerOf(root))) return
  /** @type {{workspaces: string[]}} */
  const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  for (const folder of ['.', ...workspaces])
    rmSync(join(root, folder, 'node_modules'), { recursive: true, force: true })
}

/**
 * The stamp of a complete installation: the lockfile's hash and npm's record of installed packages, which any manual
 * installation changes.
 *
 * @param {string} root
 */
function stampOf(root) {
  const record = statSync(recordPath(root), { throwIfNoEntry: false })
  const hash = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
  return `${hash} ${record?.mtimeMs ?? 0}`
}

/** @param {string} root */
const recordPath = (root) => join(root, 'node_modules', '.package-lock.json')

/** @param {string} root */
const stampPath = (root) => join(root, 'node_modules', '.docent-dependencies')

/**
 * @param {string} root
 * @param {boolean} dev
 */
function isStamped(root, dev) {
  if (!existsSync(stampPath(root)) || existsSync(markerOf(root))) return false
  const [stamp, kind] = readFileSync(stampPath(root), 'utf8').split('\n')
  return stamp === stampOf(root) && (kind === 'all' || !dev)
}

/**
 * @typedef {object} LockEntry
 * @property {string} [version]
 * @property {string} [integrity]
 * @property {boolean} [link]
 * @property {boolean} [dev]
 * @property {boolean} [optional]
 * @property {boolean} [devOptional]
 */

/**
 * Compares the lockfile with npm's record of installed packages and stamps it if they match.
 *
 * @param {string} root
 * @param {boolean} dev
 */
export function isComplete(root, dev) {
  const wanted = readPackages(join(root, 'package-lock.json'))
  const present = readPackages(recordPath(root))
  if (!wanted) throw new LaunchError('package-lock.json is missing from this checkout.')
  if (!present || existsSync(markerOf(root))) return false
  const complete = Object.entries(wanted).every(([path, entry]) => {
    if (!path.includes('node_modules/') || (!dev && (entry.dev || entry.devOptional))) return true
    if (entry.link) return existsSync(join(root, path, 'package.json'))
    const found = present[path]
    // Optional packages are each for one platform.
    if (!found) return Boolean(entry.optional || entry.devOptional)
    return (
      found.version === entry.version &&
      // For other platforms the lockfile may contain the version only.
      (entry.integrity === undefined || found.integrity === entry.integrity) &&
      existsSync(join(root, path, 'package.json'))
    )
  })
  if (complete) writeFileSync(stampPath(root), `${stampOf(root)}\n${dev ? 'all' : 'runtime'}\n`)
  return complete
}

/**
 * @param {string} file
 * @returns {Record<string, LockEntry> | null}
 */
function readPackages(file) {
  if (!existsSync(file)) return null
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages ?? null
  } catch {
    return null // Truncated by an interrupted installation.
  }
}
