import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'

/** Waits for the end of its standard input, which the kernel closes with the process that holds the other end. */
const GUARD = 'read -r _; kill -9 "$1"'

const SHELL = '/bin/sh'

/** Whether a shell can stand by here. Images of containers may have none; what is to end has to see to it itself then. */
export const hasShell = (shell = SHELL): boolean => existsSync(shell)

/**
 * Sees to it that a process ends when this one does, however it does. It could see to that itself only while it has time
 * to, or by a thread of its own (`endWithParent`), of 18 MB: one that is busy with a document hears nothing. So a shell
 * stands by, which takes some 2 MB. On Windows nobody does, and such a process ends with its document.
 */
export function endWithThisProcess(pid: number): { dismiss(): void } {
  if (process.platform === 'win32') return { dismiss: () => undefined }
  const shell = spawn(SHELL, ['-c', GUARD, 'sh', String(pid)], { env: {}, stdio: ['pipe', 'ignore', 'ignore'] })
  // No shell, or gone already: it is a precaution.
  shell.on('error', () => undefined)
  shell.stdin.on('error', () => undefined)
  shell.unref()
  if ('unref' in shell.stdin && typeof shell.stdin.unref === 'function') shell.stdin.unref()
  return { dismiss: () => void shell.kill('SIGKILL') }
}
