import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Command to enter a network namespace. Needs Linux, and root or user namespaces. */
export async function unshareCommand(): Promise<string[] | null> {
  for (const flags of [
    ['--net', '--mount'],
    ['--map-root-user', '--net', '--mount'],
  ]) {
    const works = await run('unshare', [...flags, 'sh', '-c', 'ip link set lo up']).then(
      () => true,
      () => false,
    )
    if (works) return flags
  }
  process.stderr.write('\nSKIPPED: no network namespaces here (unshare and iproute2 as root, or user namespaces).\n\n')
  return null
}

/** Runs a program in an isolated network and parses its report. */
export async function inside(unshare: string[] | null, script: string, args: string[], env = process.env) {
  const enter = join(import.meta.dirname, 'enter.sh')
  const { stdout } = await run('unshare', [...(unshare ?? []), 'sh', enter, process.execPath, script, ...args], {
    maxBuffer: 64 * 1024 * 1024,
    env,
  })
  return JSON.parse(stdout)
}
