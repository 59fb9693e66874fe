import { spawnSync, spawn } from 'node:child_process'
import { existsSync, readdirSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { getCompileCacheDir } from 'node:module'
import { differences } from '#lib/operating-system.ts'
import { CODE, isBundle } from '#lib/place.ts'

const SHELL = '/bin/sh'
const PATH = 'PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin'
/** Replaces a folder by an empty one. */
const HIDE = `sh -c 'mount -t tmpfs -o ro,size=4k,mode=0 none "$HIDDEN" && exec "$@"' sh`
/** From most to least protection. This user is the root of the first namespace, and then drops its capabilities. */
const WAYS = {
  full: `unshare --user --map-root-user --net --mount ${HIDE} setpriv --no-new-privs --inh-caps=-all --bounding-set=-all`,
  namespaces: 'unshare --user --map-current-user --net setpriv --no-new-privs',
  network: 'unshare --user --map-current-user --net',
  privileges: 'setpriv --no-new-privs',
} as const

/**
 * Runs a command in the most protected way that this user has: without a network, access to outside processes
 * (ptrace(2)) and the data folder, and with no new privileges. Every step execs the next, so the process id stays the
 * same.
 */
const ISOLATE = `
${PATH}
set -- "$(command -v env)" -i NODE_CHANNEL_FD="$NODE_CHANNEL_FD" \\
  NODE_CHANNEL_SERIALIZATION_MODE="$NODE_CHANNEL_SERIALIZATION_MODE" "$@"
${Object.values(WAYS)
  .map((way) => `${way} true 2>/dev/null && exec ${way} "$@"`)
  .join('\n')}
exec "$@"`

type Command = { file: string; args: string[]; env: Record<string, string> }

/** The command that runs `command` isolated, without the folder `hidden`. Without Linux or a shell: `command` itself. */
export function isolateCommand(command: Command, hidden: string): Command {
  if (!differences.hasNamespaces || !existsSync(SHELL)) return command
  const { file, args, env } = command
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`)
  return { file: SHELL, args: ['-c', ISOLATE, 'sh', ...variables, file, ...args], env: { HIDDEN: hidden } }
}

/** The most protected way that the system and its tools have for this user. */
export function wayToIsolate(hidden: string): keyof typeof WAYS | 'none' {
  const ways = Object.keys(WAYS) as (keyof typeof WAYS)[]
  const works = (way: keyof typeof WAYS) =>
    spawnSync(SHELL, ['-c', `${PATH}; ${WAYS[way]} true`], { stdio: 'ignore', env: { HIDDEN: hidden } }).status === 0
  return (differences.hasNamespaces && existsSync(SHELL) && ways.find(works)) || 'none'
}

const SCOPE = '@docent'

/**
 * What a child may read (`--allow-fs-read`): the code of Docent, and with `loadsPackages` installed packages and linked
 * workspace packages.
 */
export function programFolders(loadsPackages = !isBundle): string[] {
  const code = CODE.map((folder) => fileURLToPath(folder))
  const paths = code.map((folder) => join(folder, '*'))
  if (!loadsPackages) return paths
  for (const folder of new Set(code.flatMap(withParents))) {
    const packages = join(folder, 'node_modules')
    paths.push(join(folder, 'package.json'))
    if (!existsSync(packages)) continue
    paths.push(join(packages, '*'), join(realpathSync(packages), '*'))
    const linked = join(packages, SCOPE)
    const names = existsSync(linked) ? readdirSync(linked) : []
    for (const name of names) paths.push(join(realpathSync(join(linked, name)), '*'))
  }
  return [...new Set(paths)]
}

function withParents(folder: string): string[] {
  const above = dirname(folder)
  return above === folder ? [folder] : [folder, ...withParents(above)]
}

/** Waits for the end of its standard input. The kernel closes that when the process at the other end ends. */
const GUARD = 'read -r _; kill -9 "$1"'

/** True if a shell is available. Container images may have none; the child then watches its parent itself. */
export const hasShell = (shell = SHELL): boolean => existsSync(shell)

/** Ends a process with this one. A waiting shell takes 2 MB, a thread in the child (`endWithParent`) 18 MB. */
export function endWithThisProcess(pid: number): { dismiss(): void } {
  if (!differences.hasProcessGroups) return { dismiss: () => undefined }
  const shell = spawn(SHELL, ['-c', GUARD, 'sh', String(pid)], { env: {}, stdio: ['pipe', 'ignore', 'ignore'] })
  // There is no shell, or it has ended. This is only a precaution.
  shell.on('error', () => undefined)
  shell.stdin.on('error', () => undefined)
  shell.unref()
  if ('unref' in shell.stdin && typeof shell.stdin.unref === 'function') shell.stdin.unref()
  return { dismiss: () => void shell.kill('SIGKILL') }
}

/** Permanently drops a permission of this process. Throws if this Node cannot (`canDropPermissions`). */
export function dropPermission(scope: 'fs.write' | 'worker'): void {
  // Newer than our Node types.
  const { drop } = (process.permission ?? {}) as { drop?: (scope: string) => void }
  if (!drop) throw new Error(`A process for reading cannot give back its permission: ${scope}.`)
  drop(scope)
}

/** True if this version of Node can drop permissions: 24 from 24.21 on, and 26 in its maintained releases. */
export function canDropPermissions(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major === 24 ? minor >= 21 : major > 26
}

/**
 * Environment of a thread: only the compile cache. Without it, the start takes twice as long, and V8 can end the
 * process ("Check failed: jit_page.has_value()", https://github.com/nodejs/node/issues/64500).
 */
export function threadEnvironment(): Record<string, string> {
  const folder = getCompileCacheDir()
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) }
}
