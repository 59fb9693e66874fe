import type { Command } from 'commander'
import type { Terminal } from '../terminal.ts'
import type { ClientCommand } from './client-command.ts'
import { CREDENTIAL_COMMANDS } from './credential-commands.ts'
import { SERVER_COMMANDS } from './server-commands.ts'
import { SOURCE_COMMANDS } from './source-commands.ts'
import { TOOL_COMMANDS } from './tool-commands.ts'

const COMMANDS = [...SERVER_COMMANDS, ...SOURCE_COMMANDS, ...TOOL_COMMANDS, ...CREDENTIAL_COMMANDS]

/** Descriptions of the groups that only these commands have. */
const GROUPS: Readonly<Record<string, string>> = {
  tools: 'Choose the tools of a server.',
  rules: 'Manage the retrieval rules of a server.',
  tokens: 'Manage the access tokens of a server.',
  keys: 'Manage the API keys of the account.',
}

/** Adds the commands that make requests of the management API. Their tables are light; each loads the client when it runs. */
export function addClientCommands(program: Command, terminal: Terminal, done: (exitCode: number) => void): void {
  for (const command of COMMANDS) addCommand(program, command, { terminal, done })
}

type Around = { terminal: Terminal; done: (exitCode: number) => void }

function addCommand(program: Command, definition: ClientCommand, { terminal, done }: Around): void {
  const { name, about, arguments: places = [], options = [], destroys } = definition
  const [group = '', verb = ''] = name.split(' ')
  const command = groupOf(program, group).command(verb).description(about)
  for (const [form, meaning] of places) command.argument(form, meaning)
  for (const [form, meaning] of options) command.option(form, meaning)
  if (destroys) command.option('--yes', 'do not ask first')
  command.option('--json', 'as JSON')
  command.action(async () => {
    const { runClientCommand } = await import('./run-client-command.ts')
    done(
      await runClientCommand(terminal, definition, {
        args: command.processedArgs.flat() as string[],
        options: command.opts(),
      }),
    )
  })
}

function groupOf(program: Command, name: string): Command {
  const known = program.commands.find((command) => command.name() === name)
  return known ?? program.command(name).description(GROUPS[name] ?? '')
}
