import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { CommandError } from './command-error.ts'
import { EXIT } from './exit-codes.ts'
import type { Terminal } from './terminal.ts'

/** Reads a password without echo: from standard input without the last line break, or from a prompt. */
export async function readPassword(terminal: Terminal, { fromStdin }: { fromStdin: boolean }): Promise<string> {
  if (fromStdin) return (await text(terminal.stdin)).replace(/\r?\n$/, '')
  if (!terminal.isInteractive) {
    throw new CommandError('There is no terminal to ask for a password on. Send it with --password-stdin.', EXIT.usage)
  }
  terminal.err('Password: ')
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  using lines = createInterface({ input: terminal.stdin, output: nowhere, terminal: true })
  const stopped = new AbortController()
  lines.once('SIGINT', () => stopped.abort())
  try {
    return await lines.question('', { signal: stopped.signal })
  } catch (cause) {
    if (!stopped.signal.aborted) throw cause
    throw new CommandError('Nothing was made.', EXIT.interrupted)
  } finally {
    terminal.err('\n')
  }
}
