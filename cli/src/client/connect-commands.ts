import { CLIENTS, whyUnreachable } from '@docent/contract/values/client-snippets'
import { type ClientCommand, type Shown, argumentOf, optionOf } from './client-command.ts'

type Server = Parameters<typeof whyUnreachable>[1] & { slug: string }

export const CONNECT_COMMANDS: readonly ClientCommand[] = [
  {
    name: 'connect',
    about: 'Show how an AI client connects to a server, or change its configuration file. Lists the clients.',
    arguments: [['<server>', 'id or slug of the server']],
    options: [
      ['--client <name>', 'the client', CLIENTS.map(({ id }) => id)],
      ['--write', 'add the server to the configuration file of the client, after showing the change'],
      ['--file <path>', 'the file to change (default: the one for all projects of the user)'],
      ['--sign-in', 'connect to a private server by signing in from the client, without a token'],
      ['--token <token>', 'access token of a private server'],
      ['--new-token', 'create an access token for the client; --write does so for a private server'],
      ['--yes', 'do not ask before the file is changed'],
    ],
    async run(client, args, options, around) {
      const server = await client.servers.get({ id: argumentOf(args, 0) })
      const wanted = CLIENTS.find(({ id }) => id === optionOf(options, 'client'))
      if (!wanted) return listClients(server)
      const { connectClient } = await import('../connect/connect-client.ts')
      return connectClient(client, { server, wanted, options }, around)
    },
  },
]

function listClients(server: Server): Shown {
  const clients = CLIENTS.map((client) => ({
    id: client.id,
    title: client.title,
    problem: whyUnreachable(client, server),
  }))
  const rows = clients.map(({ id, title, problem }) => [id, title, problem === null ? 'yes' : 'no'])
  return {
    json: clients,
    table: [['client', 'name', 'can connect'], ...rows],
    notes: [`Choose one: docent connect ${server.slug} --client NAME`],
  }
}
