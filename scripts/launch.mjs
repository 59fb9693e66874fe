#!/usr/bin/env node
// Entry point of every npm script. Plain JavaScript for Node 20 without packages, because it runs before anything is
// installed: it installs what is missing and starts the program with the right Node.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureBuilds } from './launch/builds.mjs'
import { runChild } from './launch/child.mjs'
import { commandLine, COMMANDS } from './launch/commands.mjs'
import { ensureDependencies } from './launch/dependencies.mjs'
import { childEnvironment } from './launch/environment.mjs'
import { ensureRuntime } from './launch/runtime.mjs'
import { LaunchError } from './launch/say.mjs'

const root = join(fileURLToPath(import.meta.url), '../..')
const OLDEST = 20
const [name = '', ...args] = process.argv.slice(2)

try {
  const command = COMMANDS.get(name)
  if (!command) throw new LaunchError(`There is no command "${name}". Known are ${[...COMMANDS.keys()].join(', ')}.`)
  if (Number.parseInt(process.versions.node, 10) < OLDEST) {
    throw new LaunchError(`Docent needs Node ${OLDEST} or newer to begin with, and this is ${process.versions.node}.`)
  }
  const node = await both(ensureRuntime(root), ensureDependencies(root, { dev: command.dev }))
  const isBuilt = command.serves === true && (await buildIfPossible(node))
  const exit = await runChild(node, commandLine(root, command, args, { isBuilt }), {
    cwd: root,
    env: childEnvironment(root, node),
  })
  // Stopping the service from the keyboard is not an error, and npm should not print one.
  process.exitCode = name === 'start' && exit.interrupted && exit.code === 130 ? 0 : exit.code
} catch (error) {
  if (!(error instanceof LaunchError)) throw error
  process.stderr.write(`docent: ${error.message}\n`)
  process.exitCode = error.exitCode
}

/**
 * Waits for the two installations, which run side by side. An error of one waits for the end of the other.
 *
 * @param {Promise<string>} runtime
 * @param {Promise<void>} dependencies
 */
async function both(runtime, dependencies) {
  await Promise.allSettled([runtime, dependencies])
  await dependencies
  return await runtime
}

/**
 * The service runs from source, and answers MCP clients without the files for browsers, so a failed build is reported
 * and does not stop it.
 *
 * @param {string} node
 * @returns {Promise<boolean>} whether everything is built
 */
async function buildIfPossible(node) {
  try {
    await ensureBuilds(root, node)
    return true
  } catch (error) {
    if (!(error instanceof LaunchError)) throw error
    process.stderr.write(`docent: ${error.message}\n`)
    return false
  }
}
