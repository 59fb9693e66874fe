import { z } from 'zod'
import type { Clock } from '#lib/clock.ts'
import type { NetClient } from '#net/client.ts'
import { NetError } from '#net/net-error.ts'
import { OAuthError } from './oauth-error.ts'
import { refuseRedirect } from './redirects.ts'
import { rememberRecent } from '#lib/objects.ts'

/** What a client says of itself. */
export type ClientMetadata = { name: string; redirectUris: readonly string[] }

export type ClientDocuments = {
  /** `admit` is asked before a request. What it throws ends the reading. */
  read(clientId: string, signal: AbortSignal, admit: () => Promise<void>): Promise<ClientMetadata>
}

/** What the operator of a machine without internet can do. */
const OFFLINE = 'Without access to the internet, set DOCENT_OAUTH_DOCUMENTS=off'

export const LARGEST_DOCUMENT = 32 * 1024
const MINUTE_MS = 60_000
/** A document is kept as long as its `Cache-Control` says, within these bounds. */
const KEPT_MS = { least: MINUTE_MS, usual: 15 * MINUTE_MS, longest: 24 * 60 * MINUTE_MS }
const MOST_KEPT = 500
/** Milliseconds for everything. A person waits for the page. */
const TIMEOUT_MS = 5_000

export const MOST_REDIRECTS = 20
const redirects = z.array(z.string()).min(1).max(MOST_REDIRECTS)

/** The members of a client's metadata that matter here (RFC 7591, section 2). Others are ignored. */
export const ClientMetadataSchema = z.object({
  client_name: z.string().trim().max(200).optional(),
  redirect_uris: redirects,
  token_endpoint_auth_method: z.string().optional(),
})

/**
 * Reads the metadata documents of clients whose id is the address of one (draft-ietf-oauth-client-id-metadata-document).
 * They are fetched through the guard of the network client, without redirects, and kept for a while.
 */
export function createClientDocuments({ net, clock }: { net: NetClient; clock: Clock }): ClientDocuments {
  const kept = new Map<string, { metadata: ClientMetadata; until: number }>()
  return {
    async read(clientId, signal, admit) {
      const known = kept.get(clientId)
      if (known && known.until > clock()) return known.metadata
      await admit()
      const { metadata, keepMs } = await fetchDocument(net, clientId, signal)
      rememberRecent(kept, clientId, { metadata, until: clock() + keepMs }, MOST_KEPT)
      return metadata
    },
  }
}

/** True if a client id is the address of a metadata document. */
export function isDocumentId(clientId: string): boolean {
  if (!clientId.startsWith('https://') || clientId.length > 500 || !URL.canParse(clientId)) return false
  const { username, password, pathname, href } = new URL(clientId)
  // An id in another form than the parsed one has dot segments, a fragment or odd characters.
  return username === '' && password === '' && pathname !== '/' && href === clientId && !clientId.includes('#')
}

async function fetchDocument(net: NetClient, clientId: string, signal: AbortSignal) {
  const { status, headers, bytes } = await net
    .fetch(clientId, {
      headers: { accept: 'application/json' },
      maxBytes: LARGEST_DOCUMENT,
      totalMs: TIMEOUT_MS,
      maxRedirects: 0,
      acceptRedirect: () => false,
      signal,
    })
    .catch((error: unknown) => {
      if (error instanceof NetError)
        throw unusable(`could not be read: ${error.message.replace(/\.$/, '')}. ${OFFLINE}`)
      throw error
    })
  if (status !== 200) throw unusable(`could not be read (status ${status})`)
  const metadata = readDocument(clientId, new TextDecoder().decode(bytes))
  return { metadata, keepMs: keptMs(headers['cache-control'] ?? '') }
}

function readDocument(clientId: string, text: string): ClientMetadata {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw unusable('is not JSON')
  }
  const { data } = ClientMetadataSchema.extend({ client_id: z.string() }).safeParse(json)
  if (!data) throw unusable('has no `client_id` or no usable `redirect_uris`')
  // Otherwise a site that serves files of strangers could speak for any client.
  if (data.client_id !== clientId) throw unusable('has another `client_id` than its address')
  if ((data.token_endpoint_auth_method ?? 'none') !== 'none') throw unusable('asks for a secret, which it cannot have')
  const refused = data.redirect_uris.find((uri) => refuseRedirect(uri) !== null)
  if (refused !== undefined) throw unusable(`names a redirect address that ${refuseRedirect(refused)}`)
  return { name: data.client_name || new URL(clientId).host, redirectUris: data.redirect_uris }
}

const unusable = (why: string) =>
  new OAuthError('invalid_client', `The document that describes this application ${why.replace(/\.?$/, '.')}`)

function keptMs(cacheControl: string): number {
  const directives = cacheControl
    .toLowerCase()
    .split(',')
    .map((one) => one.trim())
  if (directives.includes('no-store') || directives.includes('no-cache')) return KEPT_MS.least
  const age = directives.find((one) => one.startsWith('max-age='))
  const ms = age === undefined ? KEPT_MS.usual : Number(age.slice('max-age='.length)) * 1000
  return Math.min(Math.max(Number.isFinite(ms) ? ms : 0, KEPT_MS.least), KEPT_MS.longest)
}
