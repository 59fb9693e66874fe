import type { Robots } from '#net/robots.ts'
import { hashRoute } from '#lib/addresses/page-address.ts'
import { isSecretPair, showMasks } from '#lib/addresses/secret-address.ts'
import type { Scope } from './scope.ts'
import { type Trap, createTrapDetector, MAX_URL_LENGTH } from './crawl-trap.ts'
import trackingParameters from './tracking-parameters.json' with { type: 'json' }
import { type Variant, Variants } from './variants.ts'

/** URL rules of one site crawl: scope, normal form, robots.txt, traps and variants. */
export type SiteRules = ReturnType<typeof createSiteRules>

/** Linked files that are not pages: each would cost a download. */
const ASSET =
  /\.(?:png|jpe?g|gif|svg|webp|avif|ico|bmp|tiff?|css|m?js|json|map|xml|rss|atom|woff2?|ttf|otf|eot|zip|t?gz|tar|bz2|xz|zst|7z|rar|jar|war|whl|deb|rpm|dmg|pkg|msi|exe|bin|iso|apk|mp[34]|m4[av]|webm|ogg|wav|avi|mov|mkv|pdf|do[ct]m?|xls[bm]?|pp[st]m?|csv|parquet|sqlite|wasm)$/i

/** Folder in which Sphinx and Jupyter Book publish page sources. */
const PAGE_SOURCES = '/_sources/'

/** Cached normal forms, since pages repeat the links of their navigation. Links and forms take 20 MB at most. */
const REMEMBERED = { forms: 10_000, characters: 5_000_000 } as const

/** Longer URLs, of which pages of a crawl trap have thousands, say nothing about versions and translations. */
const LONGEST_NOTED = 500

/** Combines scope, normal form, robots.txt and trap detection. */
export function createSiteRules(scope: Scope, robots: Robots) {
  const traps = createTrapDetector()
  // A crawl that starts inside this folder is meant to read it.
  const readsSources = scope.prefix.includes(PAGE_SOURCES)
  // Include patterns already choose the variants.
  const variants = scope.isChosen ? null : new Variants(scope.variants.prefix, scope.variants.versions)
  const forms = new Map<string, string | null>()
  let characters = 0
  const remember = (href: string, form: string | null) => {
    if (forms.size >= REMEMBERED.forms || characters >= REMEMBERED.characters) {
      forms.clear()
      characters = 0
    }
    characters += href.length
    // One string for both takes less memory than two.
    forms.set(href, form === href ? href : form)
  }
  const normalize = (href: string): string | null => {
    const parsed = URL.parse(href)
    if (!parsed) return null
    const normal = scope.atHome(parsed)
    if (!toNormalForm(normal)) return null
    if (!scope.includes(normal) || ASSET.test(normal.pathname)) return null
    if (!readsSources && normal.pathname.includes(PAGE_SOURCES)) return null
    if (normal.href.length <= LONGEST_NOTED) variants?.note(placeOf(normal))
    return showMasks(normal.href)
  }
  return {
    normalize(href: string): string | null {
      const known = forms.get(href)
      if (known !== undefined) return known
      const form = normalize(href)
      if (href.length <= MAX_URL_LENGTH) remember(href, form)
      return form
    },
    allows: (url: string): boolean => robots.allows(new URL(url)),
    /** Detects crawl traps. Call it once per page of a crawl. */
    trapOf: (url: string): Trap | null => traps.of(placeOf(new URL(url))),
    variantOf: (url: string): Variant | null => variants?.of(placeOf(new URL(url))) ?? null,
  }
}

/** Path of a page within its site, including its hash route. */
function placeOf(url: URL): URL {
  if (url.hash === '') return url
  const route = url.hash.replace(/^#!?\//, '')
  return new URL(`${url.pathname.replace(/(?<!\/)\/*$/, '/')}${route}`, url.origin)
}

/** Tracking parameters of analytics and advertising services, which do not change the page. */
const TRACKING = new RegExp(`^(?:${Object.values(trackingParameters).flat().join('|')})$`, 'i')

/** Unambiguous names of session parameters. */
const SESSION = /^(?:phpsessid|jsessionid|aspsessionid\w*|cfid|cftoken|zenid|oscsid|session_?id|sess_?id)$/i

/** Ambiguous names: the value decides. */
const MAYBE_SESSION = /^(?:sid|session|sess|cachebust(?:er)?|_)$/i
const RANDOM_VALUE = /^(?=.*\d)[\da-z]{12,}$/i

/** Unreserved characters (RFC 3986, section 2.3): percent-encoding them makes no difference. */
const UNRESERVED = /[\w.~-]/

/**
 * Normalizes a URL for comparison, storage and fetching. Returns null unless it is an http(s) URL without credentials.
 * Beyond the WHATWG parser (case, dots, default port): drops fragments except hash routes (`#/guide`), normalizes
 * percent-encoding (RFC 3986, section 6.2.2), drops tracking, session and credential parameters, and sorts by name. `/`
 * and `/index.html` stay distinct.
 */
export function normalizeUrl(href: string, base?: string): string | null {
  const url = URL.parse(href, base)
  return url && toNormalForm(url) ? showMasks(url.href) : null
}

/** Changes a URL to its normal form. Returns false, for any change, if it is not a page's URL. */
function toNormalForm(url: URL): boolean {
  if (!/^https?:$/.test(url.protocol) || url.username || url.password || !url.hostname) return false
  const { href } = url
  // Setting a part parses the whole URL again. Most have no fragment and no query, and a path in normal form.
  if (href.includes('#')) url.hash = hashRoute(url.hash)
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1)
  const path = normalEncoding(url.pathname.replace(/;jsessionid=[^/;]*/gi, ''))
  if (path !== url.pathname) url.pathname = path
  if (href.includes('?')) {
    const query = normalQuery(url.search.slice(1))
    // Add the question mark here, because the setter strips one from a query that starts with it.
    url.search = query === '' ? '' : `?${query}`
  }
  return true
}

function normalQuery(query: string): string {
  return normalEncoding(query)
    .split('&')
    .filter((pair) => pair !== '' && !isNoise(pair))
    .map((pair) => ({ pair, name: pair.split('=', 1)[0] ?? '' }))
    .toSorted((a, b) => (a.name < b.name ? -1 : Number(a.name > b.name)))
    .map(({ pair }) => pair)
    .join('&')
}

function isNoise(pair: string): boolean {
  const [name = '', value = ''] = pair.split('=', 2)
  return (
    isSecretPair(pair) ||
    TRACKING.test(name) ||
    SESSION.test(name) ||
    (MAYBE_SESSION.test(name) && RANDOM_VALUE.test(value))
  )
}

function normalEncoding(text: string): string {
  if (!text.includes('%')) return text
  return text.replace(/%[\da-f]{2}/gi, (code) => {
    const character = String.fromCharCode(Number.parseInt(code.slice(1), 16))
    return UNRESERVED.test(character) ? character : code.toUpperCase()
  })
}
