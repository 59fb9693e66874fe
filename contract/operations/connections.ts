import { z } from 'zod'
import { createdAt, ok } from '#fields.ts'
import { defineOperation } from '#operation.ts'

/** Clients that an account can make by hand. */
export const MAX_OAUTH_CLIENTS = 20

const name = z.string().describe('Name that the application gives itself')

const ConnectionSchema = z.object({
  id: z.string().describe('Id of the connection, for revoking it'),
  name,
  host: z
    .string()
    .nullable()
    .describe(
      'Host that vouches for the application; null if it registered itself, so that anybody could use its name',
    ),
  returnsTo: z.string().describe('Host or scheme to which the browser returned'),
  serverId: z.string().nullable().describe('Id of the server; null for the endpoint of the account'),
  serverName: z.string().nullable().describe('Name of the server; null for the endpoint of the account'),
  scopes: z
    .array(z.string())
    .describe('Of a server, `read`: tools and pages; `ask`: calls of tools. Of the account, as those of API keys'),
  createdAt,
  lastUsedAt: z.iso.datetime().nullable().describe('Time of the last request; null if there was none'),
})

const CONNECTION = {
  id: 'con_8tQmZk2VwYd4RxLbN7cHs5',
  name: 'Claude',
  host: 'claude.ai',
  returnsTo: 'claude.ai',
  serverId: 'srv_Gu2XkR4mTq8ZbNw6VcLs1P',
  serverName: 'Acme Mailer',
  scopes: ['read', 'ask'],
  createdAt: '2026-03-02T09:15:25.472Z',
  lastUsedAt: null,
} as const

export const listConnections = defineOperation({
  method: 'GET',
  path: '/api/connections',
  auth: 'person',
  needs: ['viewer', 'read'],
  summary: 'List the applications that were connected to private servers or the account by signing in, newest first',
  input: z.object({}),
  output: z.object({ connections: z.array(ConnectionSchema).describe('The connections that are valid now') }),
  errors: ['unauthorized', 'key_scoped'],
  example: { input: {}, output: { connections: [CONNECTION] } },
})

export const revokeConnection = defineOperation({
  method: 'DELETE',
  path: '/api/connections/{connectionId}',
  auth: 'person',
  needs: ['viewer', 'publish'],
  resource: 'connection',
  summary: 'Revoke a connection, with effect on the next request',
  input: z.object({ connectionId: z.string().describe('Id of the connection') }),
  output: z.object({ ok }),
  errors: ['unauthorized', 'key_scoped', 'connection_not_found'],
  example: { input: { connectionId: CONNECTION.id }, output: { ok: true } },
})

const OAuthClientSchema = z.object({
  id: z.string().describe('The `client_id`'),
  name: z.string().describe('Name that people see when they allow it'),
  redirectUris: z.array(z.string()).describe('The addresses to which it may return'),
  hasSecret: z.boolean().describe('Whether it has a `client_secret`'),
  createdAt,
})

const CLIENT = {
  id: 'oac_3VwYd4RxLbN7cHs58tQmZk',
  name: 'Team chat',
  redirectUris: ['https://chat.example.com/oauth/callback'],
  hasSecret: true,
  createdAt: '2026-03-02T09:15:25.472Z',
} as const

export const listOAuthClients = defineOperation({
  method: 'GET',
  path: '/api/oauth-clients',
  auth: 'account',
  needs: ['owner', 'read'],
  summary: 'List the OAuth clients that the account made by hand',
  input: z.object({}),
  output: z.object({
    clients: z.array(OAuthClientSchema).describe('The clients'),
    maxClients: z.literal(MAX_OAUTH_CLIENTS).describe('Clients that an account can have'),
  }),
  errors: ['unauthorized', 'key_scoped'],
  example: { input: {}, output: { clients: [CLIENT], maxClients: MAX_OAUTH_CLIENTS } },
})

export const createOAuthClient = defineOperation({
  method: 'POST',
  path: '/api/oauth-clients',
  auth: 'account',
  needs: ['owner', 'publish'],
  summary: 'Make an OAuth client by hand, for an application that asks for an id and maybe a secret',
  input: z.object({
    name: z
      .string('name_required')
      .trim()
      .min(1, 'name_required')
      .max(100, 'must have at most 100 characters')
      .describe('Name that people see when they allow it'),
    redirectUris: z.array(z.string()).min(1).max(20).describe('The addresses to which it may return'),
    secret: z.boolean().optional().describe('Whether it gets a secret; false by default'),
  }),
  output: OAuthClientSchema.extend({
    clientSecret: z.string().nullable().describe('The secret, which is shown only here; null without one'),
  }),
  errors: ['unauthorized', 'key_scoped', 'name_required', 'invalid_input', 'oauth_client_limit'],
  example: {
    input: { name: CLIENT.name, redirectUris: CLIENT.redirectUris, secret: true },
    output: { ...CLIENT, clientSecret: 'dos_iWnoHDd1C93AWZhZIBwMgl2b4uPLSr39bpyM' },
  },
})

export const deleteOAuthClient = defineOperation({
  method: 'DELETE',
  path: '/api/oauth-clients/{oauthClientId}',
  auth: 'account',
  needs: ['owner', 'publish'],
  resource: 'oauthClient',
  summary: 'Delete an OAuth client and end its connections',
  input: z.object({ oauthClientId: z.string().describe('Id of the client') }),
  output: z.object({ ok }),
  errors: ['unauthorized', 'key_scoped', 'oauth_client_not_found'],
  example: { input: { oauthClientId: CLIENT.id }, output: { ok: true } },
})

export const connectionOperations = {
  'connections.list': listConnections,
  'connections.revoke': revokeConnection,
  'oauthClients.list': listOAuthClients,
  'oauthClients.create': createOAuthClient,
  'oauthClients.delete': deleteOAuthClient,
} as const
