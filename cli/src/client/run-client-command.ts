import { createInterface } from 'node:readline/promises'
import { loadClientConfig } from '@docent/server/config.ts'
import { createDocentClient } from '@docent/sdk'
import { DocentApiError } from '@docent/sdk/error'
import { CommandError } from '../command-error.ts'
import { EXIT, exitCodeOf } from '../exit-codes.ts'
import type { Terminal } from '../terminal.ts'
import { NO_KEY, unreachable } from '../try/docent-api.ts'
import { writeTable } from '../write-table.ts'
import type { ClientCommand, Options, Shown } from './client-command.ts'

type Given = { args: readonly string[]; options: Options }

/** Makes the requests of a command and writes its result: a table or lines, or one JSON document. */
export async function runClientCommand(
  terminal: Terminal,
  command: ClientCommand,
  { args, options }: Given,
): Promise<number> {
  const { url, apiKey } = loadClientConfig()
  if (!apiKey) throw new CommandError(NO_KEY, EXIT.signIn)
  if (command.destroys !== undefined && options['yes'] !== true) {
    await confirm(
      terminal,
      command.destroys.replaceAll(/\{(\d)\}/g, (_, at: string) => args[Number(at)] ?? ''),
    )
  }
  const client = createDocentClient({ baseUrl: url, apiKey })
  try {
    write(terminal, await command.run(client, args, options), options['json'] === true)
  } catch (error) {
    if (error instanceof DocentApiError) throw new CommandError(error.message, exitCodeOf(error))
    // The error of fetch, which has its cause.
    if (error instanceof TypeError && error.cause instanceof Error) throw unreachable(url, error)
    throw error
  }
  return EXIT.ok
}

function write(terminal: Terminal, { json, table, lines = [] }: Shown, asJson: boolean): void {
  if (asJson) return terminal.out(`${JSON.stringify(json, null, 2)}\n`)
  if (table) writeTable(terminal, table)
  for (const line of lines) terminal.out(`${line}\n`)
}

/** Asks before something is destroyed. Throws without a yes, and where nobody can be asked. */
async function confirm(terminal: Terminal, destroyed: string): Promise<void> {
  const sentence = `This deletes ${destroyed}.`
  if (!terminal.isInteractive) throw new CommandError(`${sentence} Say so with --yes.`, EXIT.usage)
  using lines = createInterface({ input: terminal.stdin, output: terminal.stderr })
  const answer = await lines.question(`${sentence} Continue? (y/N) `)
  if (!/^y(?:es)?$/i.test(answer.trim())) throw new CommandError('Nothing was deleted.', EXIT.interrupted)
}
