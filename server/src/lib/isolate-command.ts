import { existsSync } from 'node:fs'

const SHELL = '/bin/sh'

/**
 * Runs a command in a user and a network namespace of its own where the system lets this user make them, and as it is
 * elsewhere. In such a namespace there is no network, not for native code either, and a process can read neither the
 * environment nor the memory of one outside (ptrace(2), "Ptrace access mode checking"). Every step replaces the one before,
 * so the process keeps its id. `env -i` takes out what the shell adds.
 */
const ISOLATE = `
PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin
set -- "$(command -v env)" -i NODE_CHANNEL_FD="$NODE_CHANNEL_FD" \\
  NODE_CHANNEL_SERIALIZATION_MODE="$NODE_CHANNEL_SERIALIZATION_MODE" "$@"
how='--user --map-current-user --net'
unshare $how true 2>/dev/null && exec unshare $how "$@"
exec "$@"`

type Command = { file: string; args: string[]; env: Record<string, string> }

/** The command that runs `command` isolated: as it is without Linux or a shell. It can talk to us as a child of Node. */
export function isolateCommand(command: Command): Command {
  if (process.platform !== 'linux' || !existsSync(SHELL)) return command
  const { file, args, env } = command
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`)
  return { file: SHELL, args: ['-c', ISOLATE, 'sh', ...variables, file, ...args], env: {} }
}
