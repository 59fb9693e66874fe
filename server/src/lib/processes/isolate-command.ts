import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const SHELL = '/bin/sh'
const PATH = 'PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin'
const HOW = '--user --map-current-user --net'

/**
 * Runs a command in a separate user and network namespace if the system allows this user to create them, otherwise
 * directly. Such a namespace has no network, even for native code. A process in it can read neither the environment nor
 * the memory of outside processes (ptrace(2), "Ptrace access mode checking"). Every step execs the next, so the process
 * id stays the same. `env -i` removes the shell's variables.
 */
const ISOLATE = `
${PATH}
set -- "$(command -v env)" -i NODE_CHANNEL_FD="$NODE_CHANNEL_FD" \\
  NODE_CHANNEL_SERIALIZATION_MODE="$NODE_CHANNEL_SERIALIZATION_MODE" "$@"
how='${HOW}'
unshare $how true 2>/dev/null && exec unshare $how "$@"
exec "$@"`

type Command = { file: string; args: string[]; env: Record<string, string> }

/**
 * Returns the command that runs `command` isolated, or `command` itself without Linux or a shell. IPC with the child
 * still works.
 */
export function isolateCommand(command: Command): Command {
  if (process.platform !== 'linux' || !existsSync(SHELL)) return command
  const { file, args, env } = command
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`)
  return { file: SHELL, args: ['-c', ISOLATE, 'sh', ...variables, file, ...args], env: {} }
}

/** True if the system and its tools let this user create such namespaces. */
export function canIsolate(): boolean {
  if (process.platform !== 'linux' || !existsSync(SHELL)) return false
  return spawnSync(SHELL, ['-c', `${PATH}; unshare ${HOW} true`], { stdio: 'ignore', env: {} }).status === 0
}
