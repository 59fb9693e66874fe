import { openClient } from '../open-client.ts'
import { catchStop } from '../catch-stop.ts'
import { confirm } from '../confirm.ts'
import { EXIT } from '../exit-codes.ts'
import { selectInstance, selectSignedIn } from '../profiles/select-instance.ts'
import type { Terminal } from '../terminal.ts'
import { writeTable } from '../write-table.ts'
import { type ClientCommand, type Options, type Shown, optionOf } from './client-command.ts'
import { explainFailure } from './explain-failure.ts'
import { watchSources } from './watch-sources.ts'

type Given = { args: readonly string[]; options: Options }

/** Makes the requests of a command and writes its result: a table or lines, or JSON. */
export async function runClientCommand(
  terminal: Terminal,
  command: ClientCommand,
  { args, options }: Given,
): Promise<number> {
  const profile = optionOf(options, 'profile')
  const instance = command.isOpen ? selectInstance(terminal, profile) : selectSignedIn(terminal, profile)
  const { url, apiKey } = instance
  if (command.destroys !== undefined && options['yes'] !== true) {
    const destroyed = command.destroys.replaceAll(/\{(\d)\}/g, (_, at: string) => args[Number(at)] ?? '')
    await confirm(terminal, { sentence: `This deletes ${destroyed}.`, refused: 'Nothing was deleted.' })
  }
  const client = openClient({ url, apiKey })
  const asJson = options['json'] === true
  using stop = catchStop(terminal)
  const around = { instance, terminal, signal: stop.signal }
  try {
    if (command.follow && options['follow'] === true) {
      for await (const { json, line } of command.follow(client, args, options, around)) {
        terminal.out(`${asJson ? JSON.stringify(json) : line}\n`)
      }
      return EXIT.ok
    }
    const shown = await command.run(client, args, options, around)
    const watched = options['watch'] === true ? shown.indexing : undefined
    write(terminal, shown, { asJson, isStream: watched !== undefined })
    if (watched) await watchSources(terminal, client, { ...watched, asJson, signal: stop.signal })
    return shown.exitCode ?? EXIT.ok
  } catch (error) {
    if (stop.signal.aborted) return EXIT.interrupted
    throw explainFailure(url, error)
  }
}

type Form = { asJson: boolean; isStream: boolean }

function write(terminal: Terminal, { json, table, lines = [], notes = [] }: Shown, { asJson, isStream }: Form): void {
  // A stream has one document per line.
  if (asJson && json !== undefined) return terminal.out(`${JSON.stringify(json, null, isStream ? 0 : 2)}\n`)
  if (table) writeTable(terminal, table)
  for (const line of lines) terminal.out(`${line}\n`)
  for (const note of notes) terminal.err(`${terminal.colors.dim(note)}\n`)
}
