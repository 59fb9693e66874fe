import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withLock } from './lock.mjs'
import { joinLicences } from '../licences.mjs'
import { LaunchError, sayStep } from './say.mjs'

const VITE = 'node_modules/vite/bin/vite.js'
const TOP_DOCUMENTS = ['README.md', 'ARCHITECTURE.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md']

/**
 * What is built, each into its folder of `dist/`: its sources besides the shared ones, the script that builds it, and
 * the folder where that runs.
 *
 * @type {Readonly<Record<string, {sources: readonly string[], line: readonly string[], cwd: string}>>}
 */
const BUILT = {
  server: {
    sources: ['server/src', 'server/package.json', 'cli/src', 'sdk/src', 'scripts/bundle.mjs'],
    line: ['scripts/bundle.mjs'],
    cwd: '.',
  },
  widget: { sources: ['widget'], line: [VITE, 'build'], cwd: 'widget' },
  dashboard: { sources: ['dashboard', 'sdk/src', 'widget/src'], line: [VITE, 'build'], cwd: 'dashboard' },
  docs: {
    sources: ['scripts/site', 'docs', 'server/src/http/list-documents.ts', ...TOP_DOCUMENTS],
    line: ['scripts/site/build-site.ts', 'dist/docs', '--instance'],
    cwd: '.',
  },
}

/** The file of a server of the documents.
 *
 * @param {string} root
 */
export const indexedDocs = (root) => join(root, 'dist/docs-server.docent.gz')

/** Folders that no build reads. */
const LEFT_OUT = new Set(['node_modules', 'fixtures', 'test', 'screenshots'])

/** Sources of all of them besides their own. */
const SHARED = ['contract', 'package-lock.json', 'scripts/licences.mjs']

/**
 * Builds what the service runs and sends to browsers, if sources have changed since the last time. Takes some
 * milliseconds if none has.
 *
 * @param {string} root
 * @param {string} node path of the runtime
 */
export async function ensureBuilds(root, node) {
  const isHere = (/** @type {string} */ name) => existsSync(join(root, BUILT[name]?.sources[0] ?? ''))
  const stale = () => Object.keys(BUILT).filter((name) => isHere(name) && !isBuilt(root, name))
  if (stale().length === 0) return
  await withLock(join(root, '.runtime', 'build.lock'), async () => {
    const names = stale()
    if (names.length === 0) return
    // `npm run build` writes it again.
    rmSync(indexedDocs(root), { force: true })
    const build = async (/** @type {string} */ name) => {
      const hash = hashOf(root, name)
      await runBuild(root, name, node)
      writeFileSync(stampPath(root, name), hash)
    }
    await sayStep(`Building the ${names.join(', the ')}`, () => Promise.all(names.map(build)))
    const folders = Object.keys(BUILT).map((name) => join(root, 'dist', name))
    writeFileSync(join(root, 'dist/licences.txt'), joinLicences(folders))
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
const stampPath = (root, folder) => join(root, 'dist', folder, '.built')

/**
 * The hash of all sources with their paths.
 *
 * @param {string} root
 * @param {string} folder
 */
function hashOf(root, folder) {
  const hash = createHash('sha256')
  for (const path of [...(BUILT[folder]?.sources ?? []), ...SHARED].flatMap((name) => filesOf(root, name))) {
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
  const { line = [], cwd = '.' } = BUILT[folder] ?? {}
  const [script = '', ...args] = line
  return new Promise((resolve, reject) => {
    const options = /** @type {const} */ ({ cwd: join(root, cwd), stdio: ['ignore', 'ignore', 'pipe'] })
    const child = spawn(node, [join(root, script), ...args], { ...options, stdio: [...options.stdio] })
    let said = ''
    child.stderr.setEncoding('utf8').on('data', (text) => (said += text))
    child.once('error', reject)
    child.once('close', (code) => {
      if (code === 0) resolve()
      else reject(new LaunchError(`The ${folder} could not be built. What the bundler said:\n\n${said.trim()}\n`))
    })
  })
}
