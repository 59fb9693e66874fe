import { spawn, spawnSync } from 'node:child_process'
import { accessSync, constants, mkdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { npmEnvironment } from './environment.mjs'
import { LaunchError } from './say.mjs'

/**
 * Installs exactly what the lockfile of `folder` names. Where packages come from is npm's own configuration.
 *
 * @param {string} folder
 * @param {{root: string, dev: boolean}} options
 */
export async function npmCi(folder, { root, dev }) {
  const args = ['ci', '--prefix', folder, ...(dev ? ['--include=dev'] : ['--omit=dev']), '--include=optional']
  args.push('--ignore-scripts', '--no-audit', '--no-fund', '--no-update-notifier', ...cacheArguments(root))
  const { code, signal, output } = await runNpm(args, folder)
  if (signal) throw new LaunchError('The installation was interrupted. Run the command again.', 130)
  if (code !== 0) {
    throw new LaunchError(`npm could not install into ${folder}. What it said:\n\n${tail(output)}\n`)
  }
}

/**
 * @param {string[]} args
 * @param {string} cwd
 * @returns {Promise<{code: number | null, signal: NodeJS.Signals | null, output: string}>}
 */
function runNpm(args, cwd) {
  return new Promise((resolve, reject) => {
    const [command, first, shell] = npmCommand()
    const child = spawn(command, [...first, ...args], {
      cwd,
      env: npmEnvironment(),
      shell,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
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

/**
 * The npm that started us, run by the Node that runs us; else the one on the PATH.
 *
 * @returns {[string, string[], boolean]} command, first arguments, whether a shell is needed
 */
function npmCommand() {
  const script = process.env['npm_execpath']
  if (script && basename(script) === 'npm-cli.js') return [process.execPath, [script], false]
  return process.platform === 'win32' ? ['npm.cmd', [], true] : ['npm', [], false]
}

/**
 * npm needs a cache that it can write; a home folder that is read-only is no reason to fail.
 *
 * @param {string} root
 * @returns {string[]}
 */
function cacheArguments(root) {
  const [command, first, shell] = npmCommand()
  const asked = spawnSync(command, [...first, 'config', 'get', 'cache'], {
    env: npmEnvironment(),
    shell,
    encoding: 'utf8',
  })
  const cache = asked.stdout?.trim()
  try {
    mkdirSync(join(cache, '_cacache', 'tmp'), { recursive: true })
    accessSync(join(cache, '_cacache', 'tmp'), constants.W_OK)
    return []
  } catch {
    return ['--cache', join(root, '.runtime', 'npm-cache')]
  }
}

/** @param {string} text */
function tail(text) {
  return text.trim().split('\n').slice(-20).join('\n')
}
