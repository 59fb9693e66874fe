/** Longer addresses are session state, data in disguise, or a trap. */
const MAX_URL_LENGTH = 2_000

/** An address as absolute http(s) without fragment and credentials, or null when it is not one that can be followed. */
export function resolveLink(href: string, base: string): string | null {
  if (href === '' || href.length > MAX_URL_LENGTH || href.startsWith('#')) return null
  const url = URL.parse(href, base)
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null
  url.hash = ''
  if (url.username !== '' || url.password !== '') return null
  return url.href.length > MAX_URL_LENGTH ? null : url.href
}
