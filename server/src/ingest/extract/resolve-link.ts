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

/** A path from the root that `URL` would leave as it is, unless a part of it begins with a dot. */
const PLAIN_PATH = /^\/(?!\/)[\w.~/-]*$/

/**
 * `resolveLink` against one base that remembers: a page names the same addresses in its text and its navigation. Most of
 * them are plain paths, which need no parsing.
 */
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

/** Null where addresses below it have something besides: credentials, or a scheme of their own. */
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
