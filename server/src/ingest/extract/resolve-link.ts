/** Longer addresses are session state, data in disguise, or a trap. */
const MAX_URL_LENGTH = 2_000

export type LinkResolver = (href: string) => string | null

/** An address as absolute http(s) without fragment and credentials, or null when it is not one that can be followed. */
export function resolveLink(href: string, base: string): string | null {
  if (href === '' || href.length > MAX_URL_LENGTH || href.startsWith('#')) return null
  const url = URL.parse(href, base)
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null
  if (url.username !== '' || url.password !== '') return null
  if (url.hash !== '' || url.href.endsWith('#')) url.hash = ''
  return url.href.length > MAX_URL_LENGTH ? null : url.href
}

/** `resolveLink` against one base that remembers: a page names the same addresses in its text and its navigation. */
export function createLinkResolver(base: string): LinkResolver {
  const known = new Map<string, string | null>()
  return (href) => {
    let url = known.get(href)
    if (url === undefined) {
      url = resolveLink(href, base)
      known.set(href, url)
    }
    return url
  }
}
