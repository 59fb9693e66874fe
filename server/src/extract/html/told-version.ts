import { compareVersions, parseVersion } from '#lib/text/version.ts'
import type { HtmlTree } from './html-tree.ts'
import { attribute, lineOf } from './html-tree.ts'

/** Elements with such a class can be the banner of an old version. */
const LIKE_BANNER = /banner|version|outdated|deprecat|warning|alert|notice|admonition|announce|unmaintained/i
/** Characters of the longest banner, and of the beginning of a text that can be one. */
const MOST = 500
/** Elements that are looked at. Banners come first. */
const MOST_ELEMENTS = 40

const SENTENCE_END = /[.!?](?=\s|$)/
const ABOUT = /\b(?:you(?:['’]re| are)|this (?:is|page|document|documentation|version|manual|guide|site)|these docs)\b/i
const THING = /\b(?:version|docs|documentation|document)\b/i
const OLD =
  /\b(?:(?:old|older|outdated|previous|unsupported|insecure|archived|legacy) (?:version|docs|documentation)|no longer (?:actively )?(?:maintained|supported|updated)|not (?:reading |viewing )?(?:the|our) (?:latest|most recent|current) version)\b/i
const NUMBER = /\bv?(\d{1,4}(?:\.(?:\d{1,9}|x)){0,3})\b/i
/** A number after one of these is that of the newer version. */
const NEWER = /\b(?:latest|most recent|current|newer|newest)\b/i

type Told = { tree: HtmlTree; url: string; canonical: string | null; opening: string }

/**
 * The older version of which a page says that it is about it: by a canonical link to the same page of another version,
 * or by a banner. `old` if it gives no number, null if it says nothing. `opening`: the beginning of the page's text.
 */
export function toldVersion({ tree, url, canonical, opening }: Told): string | null {
  const linked = canonical === null ? null : versionByCanonical(url, canonical)
  return linked ?? versionInBanner(opening.slice(0, MOST)) ?? versionInElements(tree)
}

function versionInElements(tree: HtmlTree): string | null {
  let looked = 0
  for (const node of tree) {
    if (node.length === 0 || node.length > MOST || !LIKE_BANNER.test(attribute(node, 'class'))) continue
    const version = versionInBanner(lineOf(node, MOST))
    if (version !== null || ++looked >= MOST_ELEMENTS) return version
  }
  return null
}

function versionInBanner(text: string): string | null {
  for (const sentence of text.split(SENTENCE_END)) {
    if (!OLD.test(sentence) || !ABOUT.test(sentence) || !THING.test(sentence)) continue
    const number = NUMBER.exec(sentence)
    return number && !NEWER.test(sentence.slice(0, number.index)) ? (number[1] ?? '').toLowerCase() : 'old'
  }
  return null
}

const LABEL = /^(?:v?\d{1,4}(?:\.(?:\d{1,9}|x)){0,3}|latest|stable|current)$/i
/** A number after one of these is no version. */
const COUNTED = /^(?:p|page|chapter|part|post|posts|issue|issues|pull|blog|news|id)$/i

/** The part of a path that its canonical link has another, newer version for, or none. */
function versionByCanonical(url: string, canonical: string): string | null {
  const [own, other] = [partsOf(url), partsOf(canonical)]
  const at = own.findIndex((part, index) => part !== other[index])
  const [part = '', newer = ''] = [own[at], other[at]]
  const version = parseVersion(part)
  if (at < 1 || version === null || !LABEL.test(part) || COUNTED.test(own[at - 1] ?? '')) return null
  const rest = own.slice(at + 1).join('/')
  const isDropped = rest === other.slice(at).join('/')
  const isReplaced = rest === other.slice(at + 1).join('/') && LABEL.test(newer) && isNewer(newer, version)
  return isDropped || isReplaced ? part.toLowerCase() : null
}

function isNewer(label: string, than: NonNullable<ReturnType<typeof parseVersion>>): boolean {
  const version = parseVersion(label)
  return version === null || compareVersions(version, than) > 0
}

/** Host and parts of the path. */
function partsOf(url: string): string[] {
  const { host, pathname } = new URL(url)
  return [
    host,
    ...pathname
      .replace(/\/index\.html?$/, '')
      .split('/')
      .filter(Boolean),
  ]
}
