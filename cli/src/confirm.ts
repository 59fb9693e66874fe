import { CommandError } from './command-error.ts'
import { EXIT } from './exit-codes.ts'
import { askLine } from './read-secret.ts'
import type { Terminal } from './terminal.ts'

type Question = { sentence: string; refused: string }

/** Asks before something is changed. Throws without a yes, and where nobody can be asked. */
export async function confirm(terminal: Terminal, { sentence, refused }: Question): Promise<void> {
  if (!terminal.isInteractive) throw new CommandError(`${sentence} Say so with --yes.`, EXIT.usage)
  const answer = await askLine(terminal, `${sentence} Continue? (y/N) `)
  if (!/^y(?:es)?$/i.test(answer)) throw new CommandError(refused, EXIT.interrupted)
}
