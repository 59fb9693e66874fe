import { EventEmitter } from 'node:events'
import { Readable, Writable } from 'node:stream'
import { runCommand } from './run-command.ts'
import { type Output, TEST_ENVIRONMENT, collectOutput } from './spawn-cli.ts'
import { openTerminal } from './terminal.ts'

/** A stream that passes its text on at once. */
const streamOf = (add: (text: string) => void): Writable =>
  new Writable({
    decodeStrings: false,
    write: (text, _encoding, done) => {
      add(String(text))
      done()
    },
  })

export type Running = Output & {
  /** Its exit code, once it has ended. */
  ended: Promise<number>
  /** Asks it to stop. */
  stop(signal: NodeJS.Signals): void
}

/**
 * Runs a command in this process, with only PATH from this environment. `isTerminal`: it can ask, and reads the answers
 * from `input`.
 */
export function runCli(
  words: readonly string[],
  { env = {}, input = '', isTerminal = false }: { env?: NodeJS.ProcessEnv; input?: string; isTerminal?: boolean } = {},
): Running {
  const process_ = new EventEmitter()
  const { promise: ended, resolve, reject } = Promise.withResolvers<number>()
  const { output, add } = collectOutput(ended)
  const around = {
    stdin: Object.assign(Readable.from(input === '' ? [] : [input]), { isTTY: isTerminal }),
    stdout: { write: (text: string) => add('stdout', text) },
    stderr: Object.assign(
      streamOf((text) => add('stderr', text)),
      { isTTY: isTerminal },
    ),
    env: { ...TEST_ENVIRONMENT, ...env },
    cwd: () => process.cwd(),
    on: process_.on.bind(process_),
    off: process_.off.bind(process_),
  }
  const terminal = openTerminal(around as unknown as NodeJS.Process)
  runCommand(terminal, words).then(resolve, reject)
  return Object.assign(output, { ended, stop: (signal: NodeJS.Signals) => void process_.emit(signal) })
}
