import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { withLock } from './lock.mjs'
import { isRecent, neededVersion } from './node-version.mjs'
import { installPackages } from './npm.mjs'
import { LaunchError, sayStep } from './say.mjs'

/**
 * The Node for the program: the current one if it is recent enough, otherwise one installed from npm.
 *
 * @param {string} root
 * @returns {Promise<string>} absolute path of the executable
 */
export async function ensureRuntime(root) {
  if (isRecent(process.versions.node)) return process.execPath
  const folder = join(root, '.runtime')
  const wanted = readWanted(root)
  const node = join(folder, 'node_modules', wanted.name, 'bin', 'node')
  if (isReady(folder, node, wanted.version)) return node
  return await withLock(join(folder, 'setup.lock'), async () => {
    if (isReady(folder, node, wanted.version)) return node
    await sayStep(`Installing Node ${wanted.version}, since this one is ${process.versions.node}`, async () => {
      mkdirSync(folder, { recursive: true })
      rmSync(join(folder, 'node_modules'), { recursive: true, force: true })
      for (const file of ['package.json', 'package-lock.json']) {
        copyFileSync(join(root, 'scripts', 'runtime', file), join(folder, file))
      }
      await installPackages(folder, { root, dev: false })
      if (!isReady(folder, node, wanted.version)) throw new LaunchError(noRuntime(`${node} does not run here`))
    })
    return node
  })
}

/**
 * The package with a Node for this platform, and its version in the runtime's lockfile.
 *
 * @param {string} root
 */
function readWanted(root) {
  const name = `node-${process.platform}-${process.arch}`
  /** @type {{optionalDependencies: Record<string, string>}} */
  const { optionalDependencies } = JSON.parse(readFileSync(join(root, 'scripts/runtime/package.json'), 'utf8'))
  const version = optionalDependencies[name]
  if (!version) throw new LaunchError(noRuntime(`there is none to install for ${process.platform} on ${process.arch}`))
  return { name, version }
}

/** @param {string} why */
function noRuntime(why) {
  return `Docent needs Node ${neededVersion} or newer, this is ${process.versions.node}, and ${why}. Install Node ${neededVersion} or newer and run the command again.`
}

/**
 * Checks that this Node exists and runs. A stamp saves the check at the next start.
 *
 * @param {string} folder
 * @param {string} node
 * @param {string} version
 */
function isReady(folder, node, version) {
  if (!existsSync(node)) return false
  const stamp = join(folder, 'node_modules', '.docent-runtime')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === version) return true
  const { NODE_OPTIONS: _, ...env } = process.env
  const answer = spawnSync(node, ['--version'], { env, encoding: 'utf8' })
  if (answer.stdout?.trim() !== `v${version}`) return false
  writeFileSync(stamp, version)
  return true
}
