/**
 * A common key for http(s) addresses of the same resource. Ignores trailing slashes of the path, default ports, empty
 * fragments, host case and the host's trailing dot. Other text is its own key.
 */
export function addressKey(address: string): string {
  const url = URL.parse(address)
  if (url === null || !/^https?:$/.test(url.protocol)) return address
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1)
  url.pathname = url.pathname.replace(/(?<!\/)\/+$/, '/')
  if (url.pathname.length > 1 && url.pathname.endsWith('/')) url.pathname = url.pathname.slice(0, -1)
  url.hash = ''
  return url.href
}
