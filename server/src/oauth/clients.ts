import { newId } from '#lib/ids.ts'
import { hashSecret, newSecret, sameHash } from '#auth/secret.ts'
import type { Db, Store } from '#store/db.ts'
import { countRegisteredClients, findOAuthClient, insertOAuthClient } from '#store/accounts/grants.ts'
import { type ClientDocuments, ClientMetadataSchema, isDocumentId } from './client-documents.ts'
import { CLIENT_AUTHENTICATION } from './metadata.ts'
import { OAuthError } from './oauth-error.ts'
import { refuseRedirect } from './redirects.ts'

/** A program that people let into their servers. */
export type Client = {
  id: string
  name: string
  /** Host of its metadata document, which proves whose program it is. Null for one that gave its name itself. */
  host: string | null
  redirectUris: readonly string[]
  /** Null for a program without a secret. */
  secretHash: string | null
}

/** The client with this id. Throws `invalid_client`. */
export async function findClient(
  { store, documents, admit }: { store: Store; documents: ClientDocuments; admit: () => Promise<void> },
  id: string,
  signal: AbortSignal,
): Promise<Client> {
  if (isDocumentId(id)) {
    return { id, host: new URL(id).host, secretHash: null, ...(await documents.read(id, signal, admit)) }
  }
  const row = await findOAuthClient(store.read, id)
  if (!row) {
    throw new OAuthError(
      'invalid_client',
      'This application is not known here. It may have registered long ago: remove the server from it and add it again.',
    )
  }
  const { name, secretHash } = row
  return { id, name, host: null, redirectUris: JSON.parse(row.redirectUris) as string[], secretHash }
}

/**
 * Checks the client of a request to the token endpoint. One without a secret is told by what it presents: its code or
 * refresh token belongs to it. Throws `invalid_client`.
 */
export async function checkClient(store: Store, id: string, secret: string | null): Promise<void> {
  if (isDocumentId(id)) return
  const row = await findOAuthClient(store.read, id)
  const isRight = row && (row.secretHash === null || sameHash(row.secretHash, hashSecret(secret ?? '')))
  if (!isRight) throw new OAuthError('invalid_client', 'The client is not known, or its secret is wrong.')
}

/** Clients that may be registered at a time. Unused ones are deleted within a day. */
export const MOST_REGISTERED = 10_000

/** Registers a client that gives its own metadata (RFC 7591), and returns the answer for it. */
export async function registerClient(
  { store, mostRegistered = MOST_REGISTERED }: { store: Store; mostRegistered?: number },
  body: unknown,
) {
  const { data } = ClientMetadataSchema.safeParse(body)
  if (!data) {
    throw new OAuthError(
      'invalid_client_metadata',
      'Give `redirect_uris`, 1 to 20 addresses, and a `client_name` of at most 200 characters.',
    )
  }
  const method = data.token_endpoint_auth_method ?? 'none'
  if (!CLIENT_AUTHENTICATION.some((one) => one === method)) {
    throw new OAuthError(
      'invalid_client_metadata',
      `\`token_endpoint_auth_method\` is one of ${CLIENT_AUTHENTICATION.join(', ')}.`,
    )
  }
  if ((await countRegisteredClients(store.read)) >= mostRegistered) {
    throw new OAuthError(
      'temporarily_unavailable',
      'Too many applications have registered. Try again tomorrow, or use one with a metadata document.',
    )
  }
  const { id, secret, createdAt } = await createClient(store.write, {
    accountId: null,
    now: store.clock(),
    name: data.client_name || 'An application without a name',
    redirectUris: data.redirect_uris,
    hasSecret: method !== 'none',
  })
  return {
    client_id: id,
    client_id_issued_at: Math.floor(createdAt / 1000),
    ...(secret === null ? {} : { client_secret: secret, client_secret_expires_at: 0 }),
    client_name: data.client_name,
    redirect_uris: data.redirect_uris,
    token_endpoint_auth_method: method,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  }
}

type NewClient = {
  accountId: string | null
  name: string
  redirectUris: readonly string[]
  hasSecret: boolean
  now: number
}

/** Stores a new client. Its secret, if it has one, is returned only here. Throws `invalid_redirect_uri`. */
export async function createClient(db: Db, { hasSecret, redirectUris, now, ...about }: NewClient) {
  for (const uri of redirectUris) {
    const why = refuseRedirect(uri)
    if (why) throw new OAuthError('invalid_redirect_uri', `The redirect address ${uri.slice(0, 200)} ${why}.`)
  }
  const secret = hasSecret ? newSecret('dos_') : null
  const client = { id: newId('oac'), ...about, createdAt: now }
  const stored = { secretHash: secret?.hash ?? null, redirectUris: JSON.stringify(redirectUris), lastUsedAt: null }
  await insertOAuthClient(db, { ...client, ...stored })
  return { ...client, redirectUris: [...redirectUris], secret: secret?.plaintext ?? null }
}
