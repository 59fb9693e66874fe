import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { accessSync, constants, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { npmEnvironment } from './environment.mjs'
import { findUnreachable } from './registry.mjs'
import { LaunchError } from './say.mjs'

/** Of each command: no requests besides the packages, and no programs of packages. */
const QUIET = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-update-notifier']

/**
 * Installs the packages of the lockfile and changes nothing but `node_modules`. npm's own configuration names the
 * registry. Not `npm ci`: it refuses a lockfile without the optional packages that a registry does not have, and removes
 * more than necessary.
 *
 * @param {string} root
 * @param {{dev: boolean}} options
 */
export async function installPackages(root, { dev }) {
  const marker = markerOf(root)
  writeFileSync(marker, '')
  const settings = npmSettings()
  const args = ['install', '--no-save', dev ? '--include=dev' : '--omit=dev', '--include=optional', ...QUIET]
  args.push(...placeArguments(root, root, settings))
  await explained(settings, root, () => installAddressed(args, root, settings.registry))
  rmSync(marker)
}

/**
 * Downloads the archive of one package into `folder` and compares it with its hash.
 *
 * @param {{name: string, version: string, integrity: string}} wanted
 * @param {{folder: string, root: string}} places
 * @returns {Promise<string>} its path
 */
export async function fetchArchive({ name, version, integrity }, { folder, root }) {
  const settings = npmSettings()
  const args = ['pack', `${name}@${version}`, '--pack-destination', folder, ...QUIET]
  await explained(settings, folder, () => runNpm([...args, ...placeArguments(folder, root, settings)], folder))
  const archive = join(folder, `${name}-${version}.tgz`)
  const hash = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`
  if (hash === integrity) return archive
  rmSync(archive)
  throw new LaunchError(`The registry has another ${name} ${version} than the lockfile names.`)
}

/**
 * Runs a command of npm and says why it failed.
 *
 * @param {{registry: string, proxy: string}} settings
 * @param {string} folder
 * @param {() => Promise<{code: number | null, signal: NodeJS.Signals | null, output: string}>} run
 */
async function explained(settings, folder, run) {
  const looking = findUnreachable(settings).then((unreachable) => {
    // npm goes on: its cache can have everything.
    if (unreachable) process.stderr.write(`docent: ${sayUnreachable(unreachable)} npm goes on trying.\n`)
    return unreachable
  })
  const { code, signal, output } = await run()
  if (signal) throw new LaunchError('The installation was interrupted. Run the command again.', 130)
  if (code === 0) return
  const unreachable = await looking
  const why = unreachable ? ` ${sayUnreachable(unreachable)}` : ''
  throw new LaunchError(`npm could not install into ${folder}.${why} What it said:\n\n${excerpt(output)}\n`)
}

/**
 * The lockfile names no addresses, so npm would request the list of all versions of each package, which is larger than
 * most packages. During the installation, a second lockfile, which npm prefers, has the usual addresses. A registry
 * with others answers 404, and npm runs again without it.
 *
 * @param {string[]} args
 * @param {string} folder
 * @param {string} registry
 */
async function installAddressed(args, folder, registry) {
  const addressed = join(folder, 'npm-shrinkwrap.json')
  writeFileSync(addressed, addAddresses(readFileSync(join(folder, 'package-lock.json'), 'utf8'), registry))
  try {
    const result = await runNpm(args, folder)
    if (!/\bE404\b/.test(result.output)) return result
  } finally {
    rmSync(addressed)
  }
  return await runNpm(args, folder)
}

/**
 * @param {string} lockfile
 * @param {string} registry
 */
export function addAddresses(lockfile, registry) {
  /** @type {{packages: Record<string, {name?: string, version: string, integrity?: string, resolved?: string}>}} */
  const lock = JSON.parse(lockfile)
  for (const [path, entry] of Object.entries(lock.packages)) {
    if (!entry.integrity) continue
    const name = entry.name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    entry.resolved = `${registry.replace(/\/?$/, '/')}${name}/-/${basename(name)}-${entry.version}.tgz`
  }
  return JSON.stringify(lock)
}

/** @param {{host: string, code: string}} unreachable */
const sayUnreachable = ({ host, code }) =>
  `${host} cannot be reached (${code}). Check the network, and the registry and proxy in npm's configuration.`

/**
 * Marker file that exists during an installation. If it exists before one begins, an earlier one was interrupted, and npm
 * would take its half-written packages for complete.
 *
 * @param {string} root
 */
export const markerOf = (root) => join(root, '.runtime', 'unfinished')

/**
 * @param {string[]} args
 * @param {string} cwd
 * @returns {Promise<{code: number | null, signal: NodeJS.Signals | null, output: string}>}
 */
function runNpm(args, cwd) {
  return new Promise((resolve, reject) => {
    const { command, first, shell } = npmCommand()
    const stdio = /** @type {const} */ (['ignore', 'pipe', 'pipe'])
    const child = spawn(command, [...first, ...args], { cwd, env: npmEnvironment(), shell, stdio: [...stdio] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
    /** @type {NodeJS.Signals | null} */
    let stopped = null
    /** @param {NodeJS.Signals} signal */
    const stop = (signal) => {
      stopped = signal
      child.kill(signal)
    }
    process.on('SIGTERM', stop).on('SIGINT', stop)
    child.once('error', (cause) => reject(new LaunchError(`npm could not be started: ${cause.message}`)))
    child.once('close', (code, signal) => {
      process.off('SIGTERM', stop).off('SIGINT', stop)
      resolve({ code, signal: signal ?? stopped, output })
    })
  })
}

/** The npm that started this process, run by the same Node; otherwise the one on the PATH. */
function npmCommand() {
  const script = process.env['npm_execpath']
  if (script && basename(script) === 'npm-cli.js') return { command: process.execPath, first: [script], shell: false }
  return process.platform === 'win32'
    ? { command: 'npm.cmd', first: [], shell: true }
    : { command: 'npm', first: [], shell: false }
}

/**
 * Restricts npm to `folder`, even inside another project with workspaces. A given prefix would also move npm's global
 * configuration, so that is named too. An unwritable cache, as in a read-only home folder, is replaced by ours.
 *
 * @param {string} folder
 * @param {string} root
 * @param {{globalconfig: string, cache: string}} settings
 * @returns {string[]}
 */
function placeArguments(folder, root, { globalconfig, cache }) {
  return [
    '--prefix',
    folder,
    ...(globalconfig ? ['--globalconfig', globalconfig] : []),
    ...(isWritable(cache) ? [] : ['--cache', join(root, '.runtime', 'npm-cache')]),
  ]
}

/** Settings of npm, read at once: each start of npm takes a fifth of a second. An unset one is empty. */
function npmSettings() {
  const { command, first, shell } = npmCommand()
  const options = /** @type {const} */ ({ cwd: tmpdir(), env: npmEnvironment(), shell, encoding: 'utf8' })
  const names = ['registry', 'https-proxy', 'proxy', 'globalconfig', 'cache']
  const lines = spawnSync(command, [...first, 'config', 'get', ...names], options).stdout?.split(/\r?\n/) ?? []
  const [registry = '', httpsProxy, httpProxy, globalconfig = '', cache = ''] = names.map((name) => {
    const value = lines.find((line) => line.startsWith(`${name}=`))?.slice(name.length + 1) ?? ''
    return value === 'null' ? '' : value
  })
  return { registry, proxy: httpsProxy || httpProxy || '', globalconfig, cache }
}

/** @param {string} cache */
function isWritable(cache) {
  if (!isAbsolute(cache)) return false
  try {
    const folder = join(cache, '_cacache', 'tmp')
    mkdirSync(folder, { recursive: true })
    for (const path of [folder, dirname(folder)]) accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/**
 * The part of npm's output that explains the error.
 *
 * @param {string} output
 */
function excerpt(output) {
  const lines = output.trim().split('\n')
  const errors = lines.filter((line) => line.startsWith('npm error'))
  return (errors.length > 0 ? errors : lines).slice(0, 20).join('\n')
}
