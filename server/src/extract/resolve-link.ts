import { hashRoute } from '#lib/addresses/page-address.ts'
import { withoutSecrets } from '#lib/addresses/secret-address.ts'

/** Longer URLs are session state, encoded data, or a crawler trap. */
const MAX_URL_LENGTH = 2_000

export type LinkResolver = (href: string) => string | null

/**
 * Resolves a link to absolute http(s) without fragment. Returns null if it cannot be followed or has a user name. Drops credentials of the query. With
 * `withRoutes`, keeps a fragment that is a route.
 */
export function resolveLink(href: string, base: string, withRoutes = false): string | null {
  if (href === '' || href.length > MAX_URL_LENGTH) return null
  const route = withRoutes && href.includes('#') ? hashRoute(href.slice(href.indexOf('#'))) : ''
  if (href.startsWith('#') && route === '') return null
  const url = URL.parse(href, base)
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null
  if (url.username !== '' || url.password !== '') return null
  if (url.hash !== '' || url.href.endsWith('#')) url.hash = route
  return url.href.length > MAX_URL_LENGTH ? null : withoutSecrets(url.href)
}

/** An absolute path that `URL` would not change, unless a segment starts with a dot. */
const PLAIN_PATH = /^\/(?!\/)[\w.~/-]*$/

/** Creates a caching `resolveLink` for one base: pages repeat URLs. Most of them are plain paths and need no parsing. */
export function createLinkResolver(base: string, withRoutes = false): LinkResolver {
  const known = new Map<string, string | null>()
  const origin = plainOrigin(base)
  return (href) => {
    let url = known.get(href)
    if (url === undefined) {
      url = (withRoutes ? null : joinPlain(href, origin)) ?? resolveLink(href, base, withRoutes)
      known.set(href, url)
    }
    return url
  }
}

/** Returns null if the base has credentials or is not http(s). */
function plainOrigin(base: string): string | null {
  const url = URL.parse(base)
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null
  return url.username === '' && url.password === '' ? url.origin : null
}

function joinPlain(href: string, origin: string | null): string | null {
  if (origin === null || href.length > MAX_URL_LENGTH) return null
  const hash = href.indexOf('#')
  const path = hash < 0 ? href : href.slice(0, hash)
  if (!PLAIN_PATH.test(path) || path.includes('/.')) return null
  const url = origin + path
  return url.length > MAX_URL_LENGTH ? null : url
}

/** `/guide/getting-started.md` → `getting-started`. */
export function lastSegment(url: string): string {
  const path = URL.parse(url)?.pathname ?? url
  return decodeURI(path.split('/').findLast((part) => part !== '') ?? path).replace(/\.\w{1,8}$/, '')
}
