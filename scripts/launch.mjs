#!/usr/bin/env node
// The way in for every npm script. Plain JavaScript for Node 20, with nothing but Node's own modules, since it runs
// before anything is installed: it sets up what is missing, then hands over to the program with the right Node.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
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
  const node = await ensureRuntime(root)
  await ensureDependencies(root, { dev: command.dev })
  const exit = await runChild(node, commandLine(root, command, args), { cwd: root, env: childEnvironment(root, node) })
  // A person who ends the service from the keyboard has not met an error, and npm should not print one.
  process.exitCode = name === 'start' && exit.interrupted && exit.code === 130 ? 0 : exit.code
} catch (error) {
  if (!(error instanceof LaunchError)) throw error
  process.stderr.write(`docent: ${error.message}\n`)
  process.exitCode = error.exitCode
}
