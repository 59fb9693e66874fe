import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { CommandError } from './command-error.ts'
import { EXIT } from './exit-codes.ts'
import type { Terminal } from './terminal.ts'

type Secret = {
  /** Its name in the prompt, such as `password`. */
  name: string
  /** The option that reads it from standard input. */
  option: string
  fromStdin: boolean
}

/** Reads a secret without echo: from standard input without the last line break, or from a prompt. */
export async function readSecret(terminal: Terminal, { name, option, fromStdin }: Secret): Promise<string> {
  if (fromStdin) return (await text(terminal.stdin)).replace(/\r?\n$/, '')
  if (!terminal.isInteractive) {
    throw new CommandError(`There is no terminal to ask for the ${name} on. Send it with ${option}.`, EXIT.usage)
  }
  terminal.err(`${name.charAt(0).toUpperCase()}${name.slice(1)}: `)
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  try {
    return await readLine(terminal, { output: nowhere, question: '' })
  } finally {
    terminal.err('\n')
  }
}

/** Asks for one line. The answer is shown as it is typed. */
export async function askLine(terminal: Terminal, question: string): Promise<string> {
  return (await readLine(terminal, { output: terminal.stderr, question })).trim()
}

type Line = { output: NodeJS.WritableStream; question: string }

async function readLine({ stdin }: Terminal, { output, question }: Line): Promise<string> {
  using lines = createInterface({ input: stdin, output, terminal: true })
  const stopped = new AbortController()
  lines.once('SIGINT', () => stopped.abort())
  // Ctrl-D ends the input without an answer.
  lines.once('close', () => stopped.abort())
  try {
    return await lines.question(question, { signal: stopped.signal })
  } catch (cause) {
    if (!stopped.signal.aborted) throw cause
    throw new CommandError('Nothing was changed.', EXIT.interrupted)
  }
}
