/**
 * What two http(s) addresses have in common that lead to the same: neither a slash at the end of the path, a default port,
 * an empty fragment, the case of the host nor a dot behind it tells them apart. Another text is its own key.
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
