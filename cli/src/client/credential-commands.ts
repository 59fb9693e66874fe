import { type ClientCommand, argumentOf, given, listOf } from './client-command.ts'

const SERVER = ['<server>', 'id or slug of the server'] as const
const used = (at: string | null): string => (at === null ? 'never used' : `used ${at}`)

export const CREDENTIAL_COMMANDS: readonly ClientCommand[] = [
  {
    name: 'tokens list',
    about: 'List the access tokens of a server.',
    arguments: [SERVER],
    async run(client, args) {
      const answer = await client.accessTokens.list({ id: argumentOf(args, 0) })
      const rows = answer.tokens.map(({ id, name, last4, lastUsedAt }) => [id, name, `…${last4}`, used(lastUsedAt)])
      return { json: answer, table: [['token', 'name', 'ends with', 'last use'], ...rows] }
    },
  },
  {
    name: 'tokens create',
    about: 'Create an access token for a server, and print it, this once, on standard output.',
    arguments: [SERVER, ['<name>', 'who or what it is for']],
    async run(client, args) {
      const answer = await client.accessTokens.create({ id: argumentOf(args, 0), name: argumentOf(args, 1) })
      return { json: answer, lines: [answer.plaintext] }
    },
  },
  {
    name: 'tokens revoke',
    about: 'Revoke an access token, with effect on the next request.',
    arguments: [SERVER, ['<token>', 'id of the token']],
    destroys: 'the token {1} of {0}',
    async run(client, args) {
      const answer = await client.accessTokens.revoke({ id: argumentOf(args, 0), tokenId: argumentOf(args, 1) })
      return { json: answer, lines: ['The token is revoked.'] }
    },
  },
  {
    name: 'keys list',
    about: 'List the API keys of the account.',
    async run(client) {
      const answer = await client.keys.list()
      const rows = answer.keys.map(({ id, name, last4, lastUsedAt }) => [id, name, `…${last4}`, used(lastUsedAt)])
      return { json: answer, table: [['key', 'name', 'ends with', 'last use'], ...rows] }
    },
  },
  {
    name: 'keys create',
    about: 'Create an API key, and print it, this once, on standard output.',
    arguments: [['<name>', 'what it is for']],
    options: [['--servers <ids>', 'the only servers that it sees, with commas between them']],
    async run(client, args, options) {
      const serverIds = listOf(options, 'servers')
      const answer = await client.keys.create({ name: argumentOf(args, 0), ...given({ serverIds }) })
      return { json: answer, lines: [answer.plaintext] }
    },
  },
  {
    name: 'keys revoke',
    about: 'Revoke an API key, with effect on the next request.',
    arguments: [['<key>', 'id of the key']],
    destroys: 'the API key {0}',
    async run(client, args) {
      return { json: await client.keys.revoke({ keyId: argumentOf(args, 0) }), lines: ['The key is revoked.'] }
    },
  },
]
