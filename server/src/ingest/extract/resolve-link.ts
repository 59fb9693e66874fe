import { hashRoute } from '#lib/page-address.ts'

/** Longer addresses are session state, data in disguise, or a trap. */
const MAX_URL_LENGTH = 2_000

export type LinkResolver = (href: string) => string | null

/**
 * An address as absolute http(s) without fragment and credentials, or null when it is not one that can be followed. With
 * routes, a fragment that is one stays.
 */
export function resolveLink(href: string, base: string, withRoutes = false): string | null {
  if (href === '' || href.length > MAX_URL_LENGTH) return null
  const route = withRoutes && href.includes('#') ? hashRoute(href.slice(href.indexOf('#'))) : ''
  if (href.startsWith('#') && route === '') return null
  const url = URL.parse(href, base)
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null
  if (url.username !== '' || url.password !== '') return null
  if (url.hash !== '' || url.href.endsWith('#')) url.hash = route
  return url.href.length > MAX_URL_LENGTH ? null : url.href
}

/** `resolveLink` against one base that remembers: a page names the same addresses in its text and its navigation. */
export function createLinkResolver(base: string, withRoutes = false): LinkResolver {
  const known = new Map<string, string | null>()
  return (href) => {
    let url = known.get(href)
    if (url === undefined) {
      url = resolveLink(href, base, withRoutes)
      known.set(href, url)
    }
    return url
  }
}
