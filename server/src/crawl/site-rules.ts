import type { Robots } from '#net/robots.ts'
import { normalizeUrl } from './normalize-url.ts'
import type { Scope } from './scope.ts'
import { type Trap, createTrapDetector } from './crawl-trap.ts'
import { type Variant, Variants } from './variants.ts'

/** URL rules of one site crawl: scope, normal form, robots.txt, traps and variants. */
export type SiteRules = {
  /** Normalizes a URL; null if it is not a page of this source. */
  normalize(href: string): string | null
  /** Returns whether robots.txt allows this page. */
  allows(url: string): boolean
  /** Detects crawl traps. Call it once per page of a crawl. */
  trapOf(url: string): Trap | null
  /** Detects pages of another version or translation. */
  variantOf(url: string): Variant | null
}

/** Linked files that are not pages: each would cost a download. */
const ASSET =
  /\.(?:png|jpe?g|gif|svg|webp|avif|ico|bmp|tiff?|css|m?js|json|map|xml|rss|atom|woff2?|ttf|otf|eot|zip|t?gz|tar|bz2|xz|zst|7z|rar|jar|war|whl|deb|rpm|dmg|pkg|msi|exe|bin|iso|apk|mp[34]|m4[av]|webm|ogg|wav|avi|mov|mkv|pdf|docx?|xlsx?|pptx?|epub|csv|parquet|sqlite|wasm)$/i

/** Folder in which Sphinx and Jupyter Book publish page sources. */
const PAGE_SOURCES = '/_sources/'

/** Cached normal forms, since pages of a site repeat the links of its navigation. The cache is cleared when full. */
const REMEMBERED = 10_000
/** Longer URLs are not cached: 10,000 of them could take as much memory as the crawl has. */
const LONGEST_REMEMBERED = 500

/** Combines scope, normal form, robots.txt and trap detection. */
export function createSiteRules(scope: Scope, robots: Robots): SiteRules {
  const traps = createTrapDetector()
  // A crawl that starts inside this folder is meant to read it.
  const readsSources = scope.prefix.includes(PAGE_SOURCES)
  // Include patterns already choose the variants.
  const variants = scope.isChosen ? null : new Variants(scope.prefix)
  const forms = new Map<string, string | null>()
  const normalize = (href: string): string | null => {
    const parsed = URL.parse(href)
    if (!parsed) return null
    const url = normalizeUrl(scope.atHome(parsed).href)
    if (url === null) return null
    const normal = new URL(url)
    if (!scope.includes(normal) || ASSET.test(normal.pathname)) return null
    if (!readsSources && normal.pathname.includes(PAGE_SOURCES)) return null
    variants?.note(placeOf(normal))
    return url
  }
  return {
    normalize(href) {
      const known = forms.get(href)
      if (known !== undefined) return known
      if (forms.size >= REMEMBERED) forms.clear()
      const form = normalize(href)
      if (href.length <= LONGEST_REMEMBERED) forms.set(href, form)
      return form
    },
    allows: (url) => robots.allows(new URL(url)),
    trapOf: (url) => traps.of(placeOf(new URL(url))),
    variantOf: (url) => variants?.of(placeOf(new URL(url))) ?? null,
  }
}

/** Path of a page within its site, including its hash route. */
function placeOf(url: URL): URL {
  if (url.hash === '') return url
  const route = url.hash.replace(/^#!?\//, '')
  return new URL(`${url.pathname.replace(/(?<!\/)\/*$/, '/')}${route}`, url.origin)
}
