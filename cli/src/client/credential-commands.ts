import { KEY_SCOPE_NAMES, type KeyScope } from '@docent/contract/values/permissions'
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
    options: [
      ['--servers <ids>', 'the only servers that it sees, with commas between them'],
      ['--scopes <scopes>', `what it may do, with commas between them: ${KEY_SCOPE_NAMES.join(', ')}`],
      ['--for-assistant', 'let an owner approve what it publishes, deletes or issues'],
    ],
    async run(client, args, options) {
      const serverIds = listOf(options, 'servers')
      const scopes = listOf(options, 'scopes') as KeyScope[] | undefined
      const forAssistant = options['forAssistant'] === true
      const wanted = { name: argumentOf(args, 0), forAssistant }
      const answer = await client.keys.create({ ...wanted, ...given({ serverIds, scopes }) })
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
  {
    name: 'connections list',
    about: 'List the applications that were connected to private servers or the account by signing in.',
    async run(client) {
      const answer = await client.connections.list()
      const rows = answer.connections.map(({ id, name, host, serverName, scopes, lastUsedAt }) => [
        id,
        host === null ? `${name} (unchecked name)` : `${name} (${host})`,
        serverName ?? 'the whole account',
        scopes.join(' '),
        used(lastUsedAt),
      ])
      return { json: answer, table: [['connection', 'application', 'server', 'scopes', 'last use'], ...rows] }
    },
  },
  {
    name: 'connections revoke',
    about: 'Revoke a connection, with effect on the next request.',
    arguments: [['<connection>', 'id of the connection']],
    destroys: 'the connection {0}',
    async run(client, args) {
      const answer = await client.connections.revoke({ connectionId: argumentOf(args, 0) })
      return { json: answer, lines: ['The connection is revoked.'] }
    },
  },
  {
    name: 'oauth-clients list',
    about: 'List the OAuth clients that the account made by hand.',
    async run(client) {
      const answer = await client.oauthClients.list()
      const rows = answer.clients.map(({ id, name, redirectUris }) => [id, name, redirectUris.join(' ')])
      return { json: answer, table: [['client', 'name', 'returns to'], ...rows] }
    },
  },
  {
    name: 'oauth-clients create',
    about: 'Make an OAuth client for an application that asks for its id, and print id and secret, this once.',
    arguments: [
      ['<name>', 'name that people see when they allow it'],
      ['<addresses>', 'the addresses to which it may return, with commas between them'],
    ],
    options: [['--secret', 'give it a secret too']],
    async run(client, args, options) {
      const redirectUris = argumentOf(args, 1).split(',')
      const secret = options['secret'] === true
      const answer = await client.oauthClients.create({ name: argumentOf(args, 0), redirectUris, secret })
      return { json: answer, lines: [answer.id, ...(answer.clientSecret === null ? [] : [answer.clientSecret])] }
    },
  },
  {
    name: 'oauth-clients delete',
    about: 'Delete an OAuth client, and end its connections.',
    arguments: [['<client>', 'id of the client']],
    destroys: 'the OAuth client {0} and its connections',
    async run(client, args) {
      const answer = await client.oauthClients.delete({ oauthClientId: argumentOf(args, 0) })
      return { json: answer, lines: ['The client is deleted.'] }
    },
  },
]
