import { spawn } from 'node:child_process'
import { constants } from 'node:os'

/** @type {NodeJS.Signals[]} */
const FORWARDED = ['SIGTERM', 'SIGHUP', 'SIGINT']

/**
 * Runs a program on this process's terminal, forwards signals, and returns how it ended.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {{cwd: string, env: NodeJS.ProcessEnv}} options
 * @returns {Promise<{code: number, interrupted: boolean}>} its exit code (128 + the signal if one ended it), and
 *   whether this process was interrupted meanwhile
 */
export function runChild(command, args, options) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { ...options, stdio: 'inherit' })
    let interrupted = false
    /** @param {NodeJS.Signals} signal */
    const forward = (signal) => {
      interrupted ||= signal === 'SIGINT'
      // On a terminal Ctrl-C reaches every process of the group directly; a second, forwarded signal would stop the
      // service at once.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
    }
    for (const signal of FORWARDED) process.on(signal, forward)
    const finish = () => {
      for (const signal of FORWARDED) process.off(signal, forward)
    }
    child.once('error', (error) => {
      finish()
      reject(error)
    })
    child.once('exit', (code, signal) => {
      finish()
      resolve({ code: code ?? 128 + (signal ? constants.signals[signal] : 0), interrupted })
    })
  })
}
