import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LaunchError } from './say.mjs'
import { SERVICE_FLAGS } from './service-flags.mjs'

/**
 * @typedef {object} Command
 * @property {boolean} dev whether it needs the development dependencies
 * @property {boolean} [serves] whether it can start the service, which runs bundled and sends built files to browsers
 * @property {(root: string, args: string[], cli: string) => string[]} line the script and its arguments
 * @property {string[]} [flags] for Node, before the script
 */

/** The command line: its source, and its bundle. */
const CLI = 'cli/src/main.ts'
const BUNDLE = 'dist/server/docent.mjs'
const BENCH = 'bench/src/main.ts'

/** @type {Map<string, Command>} */
export const COMMANDS = new Map([
  [
    'start',
    {
      dev: false,
      serves: true,
      flags: SERVICE_FLAGS,
      line: (root, args, cli) => [join(root, cli), namesUrl(args) ? 'try' : 'serve', ...args],
    },
  ],
  ['docent', { dev: false, serves: true, flags: SERVICE_FLAGS, line: (root, args, cli) => [join(root, cli), ...args] }],
  ['build', { dev: false, line: (root) => [join(root, 'scripts/build.mjs')] }],
  ['docs', { dev: true, line: (root, args) => [join(root, 'scripts/site/build-site.ts'), ...args] }],
  ['bench', { dev: true, line: (root, args) => [join(root, BENCH), ...args] }],
  ['eval', { dev: true, line: (root, args) => [join(root, BENCH), 'eval', ...args] }],
  ['tune', { dev: true, line: (root, args) => [join(root, BENCH), 'tune', ...args] }],
  ['test', { dev: true, line: (root, args) => [toolScript(root, 'vitest'), 'run', ...args] }],
  ['test:long', { dev: true, line: (root, args) => longTests(root, args) }],
  ['test:faults', { dev: true, line: (root) => longTests(root, ['server/test/store/faults.test.ts']) }],
  ['screenshots', { dev: true, line: (root) => longTests(root, ['dashboard/test']) }],
  ['sdk', { dev: true, line: (root, args) => [join(root, 'sdk/build/build-package.ts'), ...args] }],
  ['verify', { dev: true, line: (root, args) => [join(root, 'scripts/verify.ts'), ...args] }],
  ['run', { dev: true, line: (root, [tool = '', ...args]) => [toolScript(root, tool), ...args] }],
])

/**
 * @param {string} root
 * @param {Command} command
 * @param {string[]} args
 * @param {{isBuilt: boolean}} options whether the bundle fits the sources
 */
export function commandLine(root, command, args, { isBuilt }) {
  const line = command.line(root, args, isBuilt ? BUNDLE : CLI)
  const script = line[0] ?? ''
  if (!existsSync(script)) throw new LaunchError(`${script} is missing from this checkout.`)
  return [...(command.flags ?? []), ...line]
}

/**
 * @param {string} root
 * @param {string[]} args
 */
function longTests(root, args) {
  return [toolScript(root, 'vitest'), 'run', '--config', join(root, 'vitest.long.config.ts'), ...args]
}

/**
 * `npm start` serves; `npm start -- URL…` tries the URLs.
 *
 * @param {string[]} args
 */
function namesUrl(args) {
  return args.some((arg, index) => (index === 0 && !arg.startsWith('-')) || /^[a-z][a-z0-9+.-]*:\/\//i.test(arg))
}

/**
 * The script of a tool, from its package. The link in `.bin` would use the Node on the PATH.
 *
 * @param {string} root
 * @param {string} tool
 */
function toolScript(root, tool) {
  const folder = join(root, 'node_modules', tool === 'tsc' ? 'typescript' : tool)
  if (!tool || !existsSync(join(folder, 'package.json'))) throw new LaunchError(`There is no tool "${tool}".`)
  /** @type {{bin?: string | Record<string, string>}} */
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const script = typeof bin === 'string' ? bin : bin?.[tool]
  if (!script) throw new LaunchError(`The package "${tool}" has no command.`)
  return join(folder, script)
}
