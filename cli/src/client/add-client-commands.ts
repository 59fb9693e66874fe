import { Argument, type Command, Option } from 'commander'
import type { Terminal } from '../terminal.ts'
import { ACCOUNT_COMMANDS } from './account-commands.ts'
import { CALL_COMMANDS } from './call-commands.ts'
import { CONNECT_COMMANDS } from './connect-commands.ts'
import type { ClientCommand } from './client-command.ts'
import { CREDENTIAL_COMMANDS } from './credential-commands.ts'
import { MEMBER_COMMANDS } from './member-commands.ts'
import { PIN_COMMANDS } from './pin-commands.ts'
import { PURCHASE_COMMANDS } from './purchase-commands.ts'
import { SERVER_COMMANDS } from './server-commands.ts'
import { SITE_ACCESS_COMMANDS } from './site-access-commands.ts'
import { SOURCE_COMMANDS } from './source-commands.ts'
import { TOOL_COMMANDS } from './tool-commands.ts'
import { USAGE_COMMANDS } from './usage-commands.ts'
import { WEBHOOK_COMMANDS } from './webhook-commands.ts'

const COMMANDS = [
  ...SERVER_COMMANDS,
  ...SOURCE_COMMANDS,
  ...SITE_ACCESS_COMMANDS,
  ...CALL_COMMANDS,
  ...CONNECT_COMMANDS,
  ...TOOL_COMMANDS,
  ...PIN_COMMANDS,
  ...CREDENTIAL_COMMANDS,
  ...MEMBER_COMMANDS,
  ...USAGE_COMMANDS,
  ...WEBHOOK_COMMANDS,
  ...PURCHASE_COMMANDS,
  ...ACCOUNT_COMMANDS,
]

/** Descriptions of the groups that only these commands have. */
const GROUPS: Readonly<Record<string, string>> = {
  servers: 'Manage the servers of the account.',
  sources: 'Manage the sources of a server.',
  'site-access': 'Manage the credentials of sites behind a login.',
  tools: 'Choose the tools of a server.',
  rules: 'Manage the retrieval rules of a server.',
  pins: 'Manage the pins of a server: sections to show first for a question, or never.',
  tokens: 'Manage the access tokens of a server.',
  keys: 'Manage the API keys of the account.',
  connections: 'Manage the applications that were connected by signing in.',
  'oauth-clients': 'Manage the OAuth clients that were made by hand.',
  members: 'Manage the members of the account, and its invitations.',
  audit: 'Show the audit log of the account.',
  limits: 'Show and set the limits of callers without a token.',
  accounts: 'Manage the accounts of the instance, as its operator.',
  calls: 'Export the request log of a server.',
  webhooks: 'Manage the webhooks of the account.',
  plans: 'Show the plans of the service.',
  purchases: 'Request sources and plans, and decide about such requests.',
}

/** Adds the commands that make requests of the management API. Their tables are light; each loads the client when it runs. */
export function addClientCommands(program: Command, terminal: Terminal, done: (exitCode: number) => void): void {
  for (const command of COMMANDS) addCommand(program, command, { terminal, done })
}

type Around = { terminal: Terminal; done: (exitCode: number) => void }

function addCommand(program: Command, definition: ClientCommand, { terminal, done }: Around): void {
  const { name, about, arguments: places = [], options = [], destroys, canWatch } = definition
  const [group = '', verb] = name.split(' ')
  const command = (verb === undefined ? program : groupOf(program, group)).command(verb ?? group).description(about)
  for (const [form, meaning, choices] of places) {
    const argument = new Argument(form, meaning)
    command.addArgument(choices ? argument.choices(choices) : argument)
  }
  for (const [form, meaning, choices] of options) {
    const option = new Option(form, meaning)
    command.addOption(choices ? option.choices(choices) : option)
  }
  if (destroys) command.option('--yes', 'do not ask first')
  if (canWatch) command.option('--watch', 'show the progress of indexing until it ends')
  command.option('--json', 'as JSON')
  command.addOption(profileOption())
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

/** Which stored sign-in to use. */
export const profileOption = (): Option =>
  new Option('--profile <name>', 'stored sign-in to use (default: the environment, then the last sign-in)')

/** The command that holds others, such as `servers`. */
export function groupOf(program: Command, name: string): Command {
  const known = program.commands.find((command) => command.name() === name)
  return known ?? program.command(name).description(GROUPS[name] ?? '')
}
