import { spawn } from 'node:child_process'

type Options = { cwd?: string; env?: NodeJS.ProcessEnv }

/** Runs a Node program to its end without blocking this process, which may be serving it. */
export const runProgram = (script: string, args: string[], options?: Options) =>
  runCommand(process.execPath, [script, ...args], options)

/** The same for any program. */
export function runCommand(
  file: string,
  args: string[],
  { cwd, env = process.env }: Options = {},
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(file, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env,
    ...(cwd === undefined ? {} : { cwd }),
  })
  const output = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, ...output }))
  })
}
