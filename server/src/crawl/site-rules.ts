import type { Robots } from '#net/robots.ts'
import { toNormalForm } from './normalize-url.ts'
import type { Scope } from './scope.ts'
import { type Trap, createTrapDetector } from './crawl-trap.ts'
import { MAX_URL_LENGTH } from './url-length.ts'
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

/**
 * Cached normal forms and their characters, since pages of a site repeat the links of its navigation. The cache is
 * cleared when full. At two bytes a character, links and forms together take 20 MB at most.
 */
const REMEMBERED = { forms: 10_000, characters: 5_000_000 } as const

/** Longer URLs, of which pages of a crawl trap have thousands, say nothing about versions and translations. */
const LONGEST_NOTED = 500

/** Combines scope, normal form, robots.txt and trap detection. */
export function createSiteRules(scope: Scope, robots: Robots): SiteRules {
  const traps = createTrapDetector()
  // A crawl that starts inside this folder is meant to read it.
  const readsSources = scope.prefix.includes(PAGE_SOURCES)
  // Include patterns already choose the variants.
  const variants = scope.isChosen ? null : new Variants(scope.prefix)
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
    return normal.href
  }
  return {
    normalize(href) {
      const known = forms.get(href)
      if (known !== undefined) return known
      const form = normalize(href)
      if (href.length <= MAX_URL_LENGTH) remember(href, form)
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
