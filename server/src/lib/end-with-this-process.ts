import { spawn } from 'node:child_process'

/** Waits for the end of its standard input, which the kernel closes with the process that holds the other end. */
const GUARD = 'read -r _; kill -9 "$1"'

/**
 * Sees to it that a process ends when this one does, however it does. It could see to that itself only while it has time
 * to: one that is busy with a document hears nothing. So a shell stands by, which takes some 2 MB. Where there is none,
 * such a process ends with its document.
 */
export function endWithThisProcess(pid: number): { dismiss(): void } {
  if (process.platform === 'win32') return { dismiss: () => undefined }
  const shell = spawn('/bin/sh', ['-c', GUARD, 'sh', String(pid)], { env: {}, stdio: ['pipe', 'ignore', 'ignore'] })
  // No shell, or gone already: it is a precaution.
  shell.on('error', () => undefined)
  shell.stdin.on('error', () => undefined)
  shell.unref()
  if ('unref' in shell.stdin && typeof shell.stdin.unref === 'function') shell.stdin.unref()
  return { dismiss: () => void shell.kill('SIGKILL') }
}
