import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { withLock } from './lock.mjs'
import { isRecent, neededVersion } from './node-version.mjs'
import { fetchArchive } from './npm.mjs'
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
  return await withLock(join(folder, 'runtime.lock'), async () => {
    if (isReady(folder, node, wanted.version)) return node
    await sayStep(`Installing Node ${wanted.version} beside ${process.versions.node}`, async () => {
      mkdirSync(folder, { recursive: true })
      unpackNode(await fetchArchive(wanted, { folder, root }), join(folder, 'node_modules', wanted.name))
      if (!isReady(folder, node, wanted.version)) throw new LaunchError(noRuntime(`${node} does not run here`))
    })
    return node
  })
}

/**
 * Takes the program and its licence from the archive. A third of the package is headers, in 2,800 files.
 *
 * @param {string} archive is removed
 * @param {string} folder
 */
function unpackNode(archive, folder) {
  const unfinished = `${archive}.unpacked`
  for (const path of [unfinished, folder]) rmSync(path, { recursive: true, force: true })
  for (const path of [unfinished, dirname(folder)]) mkdirSync(path, { recursive: true })
  const files = ['package/bin/node', 'package/LICENSE']
  const { status, stderr, error } = spawnSync('tar', ['-xzf', archive, '-C', unfinished, ...files], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new LaunchError(noRuntime(`tar could not unpack it (${error?.message ?? stderr.trim()})`))
  renameSync(join(unfinished, 'package'), folder)
  for (const path of [unfinished, archive]) rmSync(path, { recursive: true })
}

/**
 * The package with a Node for this platform, with its version and hash.
 *
 * @param {string} root
 */
function readWanted(root) {
  const name = `node-${process.platform}-${process.arch}`
  /** @type {{packages: Record<string, {version: string, integrity: string}>}} */
  const { packages } = JSON.parse(readFileSync(join(root, 'scripts/runtime/package-lock.json'), 'utf8'))
  const wanted = packages[`node_modules/${name}`]
  if (!wanted) throw new LaunchError(noRuntime(`there is none to install for ${process.platform} on ${process.arch}`))
  return { name, ...wanted }
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
