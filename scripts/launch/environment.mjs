import { spawnSync } from 'node:child_process'
import { delimiter, dirname, join } from 'node:path'
import { SERVICE_ENVIRONMENT } from './service-flags.mjs'

/**
 * The environment of the program: its own Node first on the PATH, and a compile cache for a fast start.
 *
 * @param {string} root
 * @param {string} node path of the runtime
 * @returns {NodeJS.ProcessEnv}
 */
export function childEnvironment(root, node) {
  /** @type {NodeJS.ProcessEnv} */
  const env = { ...SERVICE_ENVIRONMENT, ...process.env }
  const pathKey = Object.keys(env).find((key) => key.toUpperCase() === 'PATH') ?? 'PATH'
  env[pathKey] = [dirname(node), env[pathKey]].filter(Boolean).join(delimiter)
  env['NODE_COMPILE_CACHE'] ??= join(root, '.runtime', 'compile-cache')
  if (env['NODE_OPTIONS'] && node !== process.execPath && !accepts(node, env)) delete env['NODE_OPTIONS']
  return env
}

/**
 * Checks that this Node starts with the NODE_OPTIONS, which may be meant for the one on the PATH.
 *
 * @param {string} node
 * @param {NodeJS.ProcessEnv} env
 */
function accepts(node, env) {
  return spawnSync(node, ['--eval', ''], { env, stdio: 'ignore' }).status === 0
}

/** Settings of an outer npm command that would change how or where an inner installation works. */
const OUTER_SETTINGS =
  /^npm_config_(local_prefix|prefix|global|location|workspaces?|include_workspace_root|omit|include|only|also|production|optional|dev|dry_run|package_lock|package_lock_only|install_links|install_strategy|save|json|before|cpu|os|libc)$/i

/**
 * The environment of npm: the user's registry, proxy, certificates and cache, but no other settings.
 *
 * @returns {NodeJS.ProcessEnv}
 */
export function npmEnvironment() {
  return Object.fromEntries(Object.entries(process.env).filter(([key]) => !OUTER_SETTINGS.test(key)))
}
