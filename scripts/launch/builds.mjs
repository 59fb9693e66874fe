import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withLock } from './lock.mjs'
import { LaunchError, sayStep } from './say.mjs'

/**
 * Folders that are built for browsers, each with the sources that it uses besides the shared ones. Each has a
 * `vite.config.ts` and is built to its `dist`.
 *
 * @type {Readonly<Record<string, readonly string[]>>}
 */
const BUILT = { widget: [], dashboard: ['sdk/src', 'widget/src'] }

/** Folders that no build reads. */
const LEFT_OUT = new Set(['node_modules', 'dist', 'screenshots'])

/** Sources of all of them besides their own. */
const SHARED = ['contract', 'package-lock.json']

/**
 * Builds what the service sends to browsers, if sources have changed since the last time. Takes some milliseconds if
 * none has.
 *
 * @param {string} root
 * @param {string} node path of the runtime
 */
export async function ensureBuilds(root, node) {
  const stale = () => Object.keys(BUILT).filter((folder) => existsSync(join(root, folder)) && !isBuilt(root, folder))
  if (stale().length === 0) return
  await withLock(join(root, '.runtime', 'build.lock'), async () => {
    for (const folder of stale()) {
      const hash = hashOf(root, folder)
      await sayStep(`Building the ${folder}`, () => runBuild(root, folder, node))
      writeFileSync(stampPath(root, folder), hash)
    }
  })
}

/**
 * @param {string} root
 * @param {string} folder
 */
function isBuilt(root, folder) {
  const stamp = stampPath(root, folder)
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === hashOf(root, folder)
}

/**
 * @param {string} root
 * @param {string} folder
 */
const stampPath = (root, folder) => join(root, folder, 'dist', '.built')

/**
 * The hash of all sources with their paths.
 *
 * @param {string} root
 * @param {string} folder
 */
function hashOf(root, folder) {
  const hash = createHash('sha256')
  for (const path of [folder, ...(BUILT[folder] ?? []), ...SHARED].flatMap((name) => filesOf(root, name))) {
    hash.update(`${path}\0`).update(readFileSync(join(root, path)))
  }
  return hash.digest('hex')
}

/**
 * @param {string} root
 * @param {string} path
 * @returns {string[]}
 */
function filesOf(root, path) {
  const entries = path.includes('.') ? null : readdirSync(join(root, path), { withFileTypes: true })
  if (!entries) return [path]
  const own = entries.filter(({ name }) => !LEFT_OUT.has(name) && !name.includes('.test.'))
  return own
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const inner = `${path}/${entry.name}`
      return entry.isDirectory() ? filesOf(root, inner) : [inner]
    })
}

/**
 * @param {string} root
 * @param {string} folder
 * @param {string} node
 * @returns {Promise<void>}
 */
function runBuild(root, folder, node) {
  const bundler = join(root, 'node_modules/vite/bin/vite.js')
  const cwd = join(root, folder)
  return new Promise((resolve, reject) => {
    const child = spawn(node, [bundler, 'build'], { cwd, stdio: ['ignore', 'ignore', 'pipe'] })
    let said = ''
    child.stderr.setEncoding('utf8').on('data', (text) => (said += text))
    child.once('error', reject)
    child.once('close', (code) => {
      if (code === 0) resolve()
      else reject(new LaunchError(`The ${folder} could not be built. What the bundler said:\n\n${said.trim()}\n`))
    })
  })
}
