import { spawn, spawnSync } from 'node:child_process'
import { accessSync, constants, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { npmEnvironment } from './environment.mjs'
import { findUnreachable } from './registry.mjs'
import { LaunchError } from './say.mjs'

/**
 * Installs the packages of `folder`'s lockfile and changes nothing but `node_modules`. npm's own configuration names
 * the registry. Not `npm ci`: it refuses a lockfile without the optional packages that a registry does not have, and
 * removes more than necessary.
 *
 * @param {string} folder
 * @param {{root: string, dev: boolean}} options
 */
export async function installPackages(folder, { root, dev }) {
  const marker = markerOf(folder)
  writeFileSync(marker, '')
  const args = ['install', '--no-save', dev ? '--include=dev' : '--omit=dev', '--include=optional', '--ignore-scripts']
  args.push('--no-audit', '--no-fund', '--no-update-notifier', ...placeArguments(folder, root))
  const proxy = npmSetting('https-proxy') || npmSetting('proxy')
  const looking = findUnreachable({ registry: npmSetting('registry'), proxy }).then((unreachable) => {
    // npm goes on: its cache can have everything.
    if (unreachable) process.stderr.write(`\ndocent: ${sayUnreachable(unreachable)} npm goes on trying … `)
    return unreachable
  })
  const { code, signal, output } = await runNpm(args, folder)
  if (signal) throw new LaunchError('The installation was interrupted. Run the command again.', 130)
  if (code !== 0) {
    const unreachable = await looking
    const why = unreachable ? ` ${sayUnreachable(unreachable)}` : ''
    throw new LaunchError(`npm could not install into ${folder}.${why} What it said:\n\n${excerpt(output)}\n`)
  }
  rmSync(marker)
}

/** @param {{host: string, code: string}} unreachable */
const sayUnreachable = ({ host, code }) =>
  `${host} cannot be reached (${code}). Check the network, and the registry and proxy in npm's configuration.`

/**
 * Marker file that exists during an installation into `folder`. If it exists before one begins, an earlier one was
 * interrupted, and npm would take its half-written packages for complete.
 *
 * @param {string} folder
 */
export function markerOf(folder) {
  return join(folder, basename(folder) === '.runtime' ? 'runtime-unfinished' : join('.runtime', 'unfinished'))
}

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
 * @returns {string[]}
 */
function placeArguments(folder, root) {
  const globalConfig = npmSetting('globalconfig')
  return [
    '--prefix',
    folder,
    ...(globalConfig ? ['--globalconfig', globalConfig] : []),
    ...(isWritable(npmSetting('cache')) ? [] : ['--cache', join(root, '.runtime', 'npm-cache')]),
  ]
}

/** @param {string} name */
function npmSetting(name) {
  const { command, first, shell } = npmCommand()
  const options = /** @type {const} */ ({ cwd: tmpdir(), env: npmEnvironment(), shell, encoding: 'utf8' })
  return spawnSync(command, [...first, 'config', 'get', name], options).stdout?.trim() ?? ''
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
