import { EventEmitter } from 'node:events'
import { Readable } from 'node:stream'
import { runCommand } from './run-command.ts'
import { type Output, TEST_ENVIRONMENT, collectOutput } from './spawn-cli.ts'
import { openTerminal } from './terminal.ts'

export type Running = Output & {
  /** Its exit code, once it has ended. */
  ended: Promise<number>
  /** Asks it to stop. */
  stop(signal: NodeJS.Signals): void
}

/** Runs a command in this process, without a terminal, and with only PATH from this environment. */
export function runCli(
  words: readonly string[],
  { env = {}, input = '' }: { env?: NodeJS.ProcessEnv; input?: string } = {},
): Running {
  const process_ = new EventEmitter()
  const { promise: ended, resolve, reject } = Promise.withResolvers<number>()
  const { output, add } = collectOutput(ended)
  const around = {
    stdin: Readable.from(input === '' ? [] : [input]),
    stdout: { write: (text: string) => add('stdout', text) },
    stderr: { write: (text: string) => add('stderr', text) },
    env: { ...TEST_ENVIRONMENT, ...env },
    cwd: () => process.cwd(),
    on: process_.on.bind(process_),
    off: process_.off.bind(process_),
  }
  const terminal = openTerminal(around as unknown as NodeJS.Process)
  runCommand(terminal, words).then(resolve, reject)
  return Object.assign(output, { ended, stop: (signal: NodeJS.Signals) => void process_.emit(signal) })
}
