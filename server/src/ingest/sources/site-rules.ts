import type { Robots } from '#net/robots.ts'
import { normalizeUrl } from './normalize-url.ts'
import type { Scope } from './scope.ts'
import { type Trap, createTrapDetector } from './trap.ts'
import { type Variant, createVariants } from './variants.ts'

/** What a crawl of one site may ask for, and in which form it knows its pages. */
export type SiteRules = {
  /** The one form of an address, or null when it is not a page of this source. */
  normalize(href: string): string | null
  /** Whether robots.txt lets us have this page. */
  allows(url: string): boolean
  /** Why a page looks like one of endlessly many. To be asked once for each page of a crawl. */
  trapOf(url: string): Trap | null
  /** Why a page is left out for another version or translation of it. */
  variantOf(url: string): Variant | null
}

/** Files that are linked from pages and are none: asking for them would cost a download each. */
const ASSET =
  /\.(?:png|jpe?g|gif|svg|webp|avif|ico|bmp|tiff?|css|m?js|json|map|xml|rss|atom|woff2?|ttf|otf|eot|zip|t?gz|tar|bz2|xz|zst|7z|rar|jar|war|whl|deb|rpm|dmg|pkg|msi|exe|bin|iso|apk|mp[34]|m4[av]|webm|ogg|wav|avi|mov|mkv|pdf|docx?|xlsx?|pptx?|epub|csv|parquet|sqlite|wasm)$/i

/** Where Sphinx and Jupyter Book publish what pages were made of, beside the pages. */
const PAGE_SOURCES = '/_sources/'

/**
 * Addresses whose form is remembered. The pages of a site link to the same ones again and again, its navigation most of
 * all; beyond this it is all forgotten and begun anew.
 */
const REMEMBERED = 10_000
/** Longer ones are not remembered: of addresses that link to nothing else, 10,000 are as much memory as the crawl has. */
const LONGEST_REMEMBERED = 500

/** Joins scope, normal form, robots.txt and the look-out for traps. */
export function createSiteRules(scope: Scope, robots: Robots): SiteRules {
  const traps = createTrapDetector()
  // A crawl that starts among them is meant to read them.
  const readsSources = scope.prefix.includes(PAGE_SOURCES)
  // Whoever says which paths to read has chosen already.
  const variants = scope.isChosen ? null : createVariants(scope.prefix)
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

/** Where a page stands among those of its site: its path, and that of its route. */
function placeOf(url: URL): URL {
  if (url.hash === '') return url
  const route = url.hash.replace(/^#!?\//, '')
  return new URL(`${url.pathname.replace(/(?<!\/)\/*$/, '/')}${route}`, url.origin)
}
