import { maskAddress, readSecrets } from '#lib/addresses/secret-address.ts'
import type { NetClient, NetResponse } from './client.ts'
import { NetError } from './net-error.ts'

/** An address as it is shown, and a client that fetches it with its secrets: the same ones for most addresses. */
export function forAddress(net: NetClient, href: string): { net: NetClient; href: string } {
  const shown = maskAddress(href)
  return shown === href ? { net, href } : { net: withSecretAddress(net, href), href: shown }
}

/**
 * Wraps a client for a source whose address has secrets. Callers know the masked address only: requests to its origin
 * get the secrets, and responses and errors lose them again, because sites repeat addresses in their pages and links.
 */
function withSecretAddress(net: NetClient, original: string): NetClient {
  const secrets = readSecrets(original)
  const { hide } = secrets
  const hideIn = ({ url, headers: { 'content-encoding': _, ...headers }, bytes, ...response }: NetResponse) => {
    const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    return {
      ...response,
      url: hide(url),
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, hide(value)])),
      // Latin-1 keeps every byte of a text in an unknown encoding. Secrets of addresses are ASCII.
      bytes: secrets.isIn(body)
        ? Buffer.from(hide(body.toString('latin1')).replaceAll('…', '%E2%80%A6'), 'latin1')
        : bytes,
    }
  }
  return {
    async fetch(url, request = {}) {
      const to = secrets.reveal(url)
      const isOwn = secrets.authorization !== null && URL.parse(to)?.origin === secrets.origin
      const headers = { ...(isOwn ? { authorization: secrets.authorization ?? '' } : {}), ...request.headers }
      const { acceptRedirect } = request
      const accepts = acceptRedirect && ((next: URL) => acceptRedirect(new URL(hide(next.href))))
      try {
        // A child process that decompresses the body could not hide anything in it.
        const shared = { ...request, headers, keepEncoding: false, ...(accepts ? { acceptRedirect: accepts } : {}) }
        return hideIn(await net.fetch(to, shared))
      } catch (error) {
        if (!(error instanceof NetError)) throw error
        const { reason, message, transient, url: at } = error
        throw new NetError(reason, hide(message), { url: hide(at), transient })
      }
    },
    [Symbol.asyncDispose]: () => net[Symbol.asyncDispose](),
  }
}
