import { MAX_OAUTH_CLIENTS } from '@docent/contract/operations/connections'
import { DocentError } from '#errors.ts'
import { isoTimes } from '#lib/clock.ts'
import { createClient } from '#oauth/clients.ts'
import { isDocumentId } from '#oauth/client-documents.ts'
import { OAuthError } from '#oauth/oauth-error.ts'
import { deleteClient, listGrants, listOwnClients, revokeGrant } from '#store/accounts/grants.ts'
import { lockAccount } from '#store/servers/servers.ts'
import { grantHolder } from '../find-resource.ts'
import { type HandlersOf, done } from '../operation.ts'

export const connectionHandlers: HandlersOf<'connections' | 'oauthClients'> = {
  'connections.list': async ({ deps, actor }) => {
    const grants = await listGrants(deps.store.read, grantHolder(actor))
    return {
      connections: grants.map(({ clientId, clientName, redirectUri, scope, ...grant }) => ({
        ...isoTimes(grant),
        name: clientName,
        host: isDocumentId(clientId) ? new URL(clientId).host : null,
        returnsTo: returnsTo(redirectUri),
        scopes: scope.split(' '),
      })),
    }
  },

  'connections.revoke': ({ deps, connection }) => done(deps, (tx) => revokeGrant(tx, connection.id, deps.clock())),

  'oauthClients.list': async ({ deps, actor }) => {
    const rows = await listOwnClients(deps.store.read, actor.accountId)
    const clients = rows.map(({ secretHash, redirectUris, ...row }) =>
      isoTimes({ ...row, hasSecret: secretHash !== null, redirectUris: JSON.parse(redirectUris) as string[] }),
    )
    return { clients, maxClients: MAX_OAUTH_CLIENTS }
  },

  'oauthClients.create': async ({ deps, actor: { accountId } }, { name, redirectUris, secret = false }) => {
    try {
      const { secret: clientSecret, ...client } = await deps.store.transaction(async (tx) => {
        await lockAccount(tx, accountId)
        const own = await listOwnClients(tx, accountId)
        if (own.length >= MAX_OAUTH_CLIENTS) {
          throw new DocentError('oauth_client_limit', { fields: { limit: MAX_OAUTH_CLIENTS } })
        }
        return createClient(tx, { accountId, name, redirectUris, hasSecret: secret, now: deps.clock() })
      })
      return { ...isoTimes(client), hasSecret: secret, clientSecret }
    } catch (error) {
      if (error instanceof OAuthError)
        throw new DocentError('invalid_input', { text: `redirectUris is refused: ${error.message}` })
      throw error
    }
  },

  'oauthClients.delete': ({ deps, oauthClient }) => done(deps, (tx) => deleteClient(tx, oauthClient.id)),
}

/** Host of an address on the web, or the scheme of a desktop application. */
function returnsTo(redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri)
  return protocol === 'https:' || protocol === 'http:' ? host : protocol.slice(0, -1)
}
