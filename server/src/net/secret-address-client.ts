import { type Secrets, maskAddress, readSecrets } from '#lib/addresses/secret-address.ts'
import type { NetClient, NetResponse } from './client.ts'
import { NetError } from './net-error.ts'

/** An address as it is shown, and a client that fetches it with its secrets: the same ones for most addresses. */
export function forAddress(net: NetClient, href: string): { net: NetClient; href: string } {
  const shown = maskAddress(href)
  return shown === href ? { net, href } : { net: withSecrets(net, readSecrets(href)), href: shown }
}

/**
 * Wraps a client for a source whose address has secrets, or whose site is read with a credential. Callers know the
 * masked address only: requests to its origin get the secrets, and responses and errors lose them again, because sites
 * repeat addresses and headers in their pages. A redirect to another origin takes no secret along.
 */
export function withSecrets(net: NetClient, secrets: Secrets): NetClient {
  const { hide } = secrets
  const isOwn = (url: string) => URL.parse(url)?.origin === secrets.origin
  const hideIn = ({ url, headers: { 'content-encoding': _, ...headers }, bytes, ...response }: NetResponse) => {
    const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    return {
      ...response,
      url: hide(url),
      headers: {
        ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, hide(value)])),
        // The browser's cache of scripts is shared by all accounts.
        ...(isOwn(url) && Object.keys(secrets.headers).length > 0 ? { 'cache-control': 'private' } : {}),
      },
      // Latin-1 keeps every byte of a text in an unknown encoding. Secrets of addresses are ASCII.
      bytes: secrets.isIn(body)
        ? Buffer.from(hide(body.toString('latin1')).replaceAll('…', '%E2%80%A6'), 'latin1')
        : bytes,
    }
  }
  return {
    async fetch(url, request = {}) {
      const to = secrets.reveal(url)
      const headers = { ...(isOwn(to) ? secrets.headers : {}), ...request.headers }
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
