import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'

export type Running = {
  child: ChildProcess
  /** Output so far. */
  stdout: string
  stderr: string
  /** Its exit code, once it has ended. */
  ended: Promise<number | null>
  /** Resolves when standard output or standard error matches. Rejects if the program ends before. */
  until(pattern: RegExp): Promise<string>
}

/** Tests must not use the sign-ins of the person who runs them. */
const NOWHERE = '/nonexistent/docent'

/** Starts the command line in a separate process without a terminal, with only PATH from this environment. */
export function runCli(
  args: string[],
  { env = {}, input = '' }: { env?: NodeJS.ProcessEnv; input?: string } = {},
): Running {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts'), ...args], {
    // eslint-disable-next-line node/no-process-env -- the child needs the PATH of the test
    env: { PATH: process.env['PATH'], DOCENT_CONFIG_DIR: NOWHERE, ...env },
  })
  const { promise: ended, resolve } = Promise.withResolvers<number | null>()
  const running: Running = { child, stdout: '', stderr: '', ended, until }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (running.stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (running.stderr += text))
  child.once('close', resolve)
  child.stdin.end(input)
  return running

  async function until(pattern: RegExp): Promise<string> {
    for (;;) {
      const match = pattern.exec(running.stdout) ?? pattern.exec(running.stderr)
      if (match) return match[1] ?? match[0]
      const over = await Promise.race([ended.then(() => true), new Promise<false>((go) => setTimeout(go, 20, false))])
      if (over) throw new Error(`The program ended without ${pattern.source}:\n${running.stdout}${running.stderr}`)
    }
  }
}
