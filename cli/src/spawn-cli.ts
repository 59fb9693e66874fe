import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'

/** What a command has written so far. */
export type Output = {
  stdout: string
  stderr: string
  /** Resolves with the first group when standard output or standard error matches. Rejects if the command ends before. */
  until(pattern: RegExp): Promise<string>
}

type Spawned = Output & {
  child: ChildProcess
  /** Its exit code, once it has ended. */
  ended: Promise<number | null>
}

/** Programs are found, and the sign-ins of the person who runs the tests are not. */
// eslint-disable-next-line node/no-process-env -- commands need the PATH of the test
export const TEST_ENVIRONMENT = { PATH: process.env['PATH'], DOCENT_CONFIG_DIR: '/nonexistent/docent' }

/** The compile cache of the launcher. A start takes half the processor time with it. */
// eslint-disable-next-line node/no-process-env -- the launcher passes its cache on
export const COMPILED_CODE = { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] }

/**
 * Starts a command in a separate process without a terminal, with only PATH and the compile cache from this environment. For what only a
 * process can show, such as signals, file modes and its whole log. Other tests run commands in their own process with
 * `runCli`, which takes a tenth of the time.
 */
export function spawnCli(
  words: readonly string[],
  { env = {}, input = '' }: { env?: NodeJS.ProcessEnv; input?: string } = {},
): Spawned {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../dist/server/docent.mjs'), ...words], {
    env: { ...COMPILED_CODE, ...TEST_ENVIRONMENT, ...env },
  })
  const { promise: ended, resolve } = Promise.withResolvers<number | null>()
  const { output, add } = collectOutput(ended)
  child.stdout.setEncoding('utf8').on('data', (text: string) => add('stdout', text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => add('stderr', text))
  child.once('close', resolve)
  child.stdin.end(input)
  return Object.assign(output, { child, ended })
}

/** An output that grows with `add`. */
export function collectOutput(ended: Promise<unknown>): {
  output: Output
  add(stream: 'stdout' | 'stderr', text: string): void
} {
  let isOver = false
  let change = Promise.withResolvers<void>()
  const end = () => {
    isOver = true
    change.resolve()
  }
  ended.then(end, end)
  const output: Output = {
    stdout: '',
    stderr: '',
    async until(pattern) {
      for (;;) {
        const match = pattern.exec(output.stdout) ?? pattern.exec(output.stderr)
        if (match) return match[1] ?? match[0]
        if (isOver) throw new Error(`It ended without ${pattern.source}:\n${output.stdout}${output.stderr}`)
        await change.promise
      }
    },
  }
  return {
    output,
    add(stream, text) {
      output[stream] += text
      change.resolve()
      change = Promise.withResolvers()
    },
  }
}
