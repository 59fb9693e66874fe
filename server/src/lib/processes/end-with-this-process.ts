import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'

/** Waits for the end of its standard input. The kernel closes that when the process at the other end ends. */
const GUARD = 'read -r _; kill -9 "$1"'

const SHELL = '/bin/sh'

/** True if a shell is available. Container images may have none; the child then watches its parent itself. */
export const hasShell = (shell = SHELL): boolean => existsSync(shell)

/**
 * Ends a process when this one ends, for any reason. The child cannot notice while it is busy with a document, except
 * with a separate thread (`endWithParent`) of 18 MB. A waiting shell takes only 2 MB. On Windows nothing watches, and
 * the child ends with its document.
 */
export function endWithThisProcess(pid: number): { dismiss(): void } {
  if (process.platform === 'win32') return { dismiss: () => undefined }
  const shell = spawn(SHELL, ['-c', GUARD, 'sh', String(pid)], { env: {}, stdio: ['pipe', 'ignore', 'ignore'] })
  // There is no shell, or it has ended. This is only a precaution.
  shell.on('error', () => undefined)
  shell.stdin.on('error', () => undefined)
  shell.unref()
  if ('unref' in shell.stdin && typeof shell.stdin.unref === 'function') shell.stdin.unref()
  return { dismiss: () => void shell.kill('SIGKILL') }
}
