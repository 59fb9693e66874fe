import { CommandError } from '../command-error.ts'
import { connectConfigured } from '../connect-configured.ts'
import { EXIT } from '../exit-codes.ts'
import type { Terminal } from '../terminal.ts'

type Wanted = { server: string; tool: string; pairs: readonly string[]; asJson: boolean }

/** `docent call`: calls a tool of a public server and prints its answer on standard output. */
export async function call(terminal: Terminal, { server, tool, pairs, asJson }: Wanted): Promise<number> {
  const args = Object.fromEntries(pairs.map(readPair))
  const frames = await connectConfigured().callTool(server, tool, args)
  if (asJson) {
    terminal.out(`${JSON.stringify(frames, null, 2)}\n`)
    return EXIT.ok
  }
  const passages = frames.passages.map(({ n, title, heading, url, text }) => {
    return [`[${n}] ${heading ? `${title} › ${heading}` : title}\n${url}`, text].filter(Boolean).join('\n\n')
  })
  terminal.out(`${[frames.lead, ...passages].filter(Boolean).join('\n\n')}\n`)
  for (const note of frames.notes) terminal.err(`${terminal.colors.dim(note)}\n`)
  return EXIT.ok
}

/** `name=value`, whose value is JSON if it can be: `limit=3` is a number. */
function readPair(pair: string): [string, unknown] {
  const at = pair.indexOf('=')
  if (at < 1) throw new CommandError(`"${pair}" is no argument: write name=value.`, EXIT.usage)
  const text = pair.slice(at + 1)
  try {
    return [pair.slice(0, at), JSON.parse(text)]
  } catch {
    return [pair.slice(0, at), text]
  }
}
