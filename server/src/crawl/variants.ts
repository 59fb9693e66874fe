import { newestAsked, newestReleases } from '#lib/text/version.ts'
import { isOfVersion } from '#search/catalogue/page-version.ts'

export type Variant = 'other_version' | 'other_language'

export const VARIANT_SENTENCES: Record<Variant, string> = {
  other_version:
    'It belongs to another version than the newest stable one. Add it to the versions of the source to index it.',
  other_language:
    'It belongs to another language than the one that is indexed. Add its address as a source of its own to index it.',
}

/** `v2`, `1.x`, `3.12.4`. A plain number is excluded, because it may be a year or anything else. */
const NUMBERED = /^(?:v\d+(?:[._](?:\d+|x))*|\d+(?:\.(?:\d+|x))+)$/i
/** Names of the newest stable version, best first, and of unstable versions. */
const STABLE = ['stable', 'latest', 'current', 'release']
const UNSTABLE = new Set(['next', 'main', 'master', 'dev', 'devel', 'nightly', 'canary', 'edge', 'unstable'])
/** ISO 639-1 codes of documentation languages, except codes that are common path words. */
const LANGUAGE =
  /^(?:ar|bg|bn|ca|cs|da|de|el|en|es|et|fa|fi|fr|he|hi|hr|hu|id|it|ja|ko|lt|lv|nb|nl|no|pl|pt|ro|ru|sk|sl|sr|sv|th|tr|uk|vi|zh)(?:[-_](?:[a-z]{2}|hans|hant|\d{3}))?$/i

/** Every folder has an index page, so sharing one does not make folders variants. */
const INDEX = /(?:^|\/)index\.\w+$/i

/** Path segments examined below the start, and paths remembered for comparing trees. */
const DEPTH = 4
const MAX_PATHS = 5_000

/** Parallel trees of pages: `/docs/v1/…` and `/docs/v2/…`. The map key is their parent path. */
type Family = {
  names: Set<string>
  paths: Map<string, string>
  share: boolean
  isBare: boolean
  /** The newest of `of` names, for each number that was asked for. */
  newest: { of: number; names: Map<number, readonly string[]> }
}
type Kind = 'version' | 'language'
type Place = { key: string; name: string; rest: string }

const KINDS: readonly Kind[] = ['version', 'language']

/** Detects other versions and translations below a path prefix, by the URLs seen so far. */
export class Variants {
  readonly #prefix: string
  readonly #versions: readonly string[]
  readonly #families = { version: new Map<string, Family>(), language: new Map<string, Family>() }
  readonly #seen = new Set<string>()

  /** `versions`: those to read beside the best one. */
  constructor(prefix: string, versions: readonly string[] = []) {
    this.#prefix = prefix
    this.#versions = versions
  }

  note(url: URL): void {
    const segments = this.#segmentsOf(url)
    const path = segments.join('/')
    if (path === '' || this.#seen.has(path)) return
    if (this.#seen.size < MAX_PATHS) this.#seen.add(path)
    for (const kind of KINDS) {
      const place = placeOf(kind, segments)
      if (place) this.#notePlace(kind, place)
      else this.#noteBare(kind, path)
    }
  }

  of(url: URL): Variant | null {
    const segments = this.#segmentsOf(url)
    for (const kind of KINDS) {
      const place = placeOf(kind, segments)
      const family = place && this.#families[kind].get(place.key)
      const chosen = family && (kind === 'version' ? bestVersion(family) : bestLanguage(family))
      if (typeof chosen !== 'string' || !place || !family?.names.has(place.name)) continue
      const isAsked = kind === 'version' && this.#versions.some((asked) => isAskedIn(family, place.name, asked))
      if (chosen !== place.name && !isAsked) return `other_${kind}`
    }
    return null
  }

  #segmentsOf({ pathname }: URL): string[] {
    return pathname.startsWith(this.#prefix) ? pathname.slice(this.#prefix.length).split('/').filter(Boolean) : []
  }

  #notePlace(kind: Kind, { key, name, rest }: Place): void {
    const known = this.#families[kind].get(key)
    const family = known ?? newFamily()
    this.#families[kind].set(key, family)
    // A single page with such a name, for example about upgrading, is no tree.
    if (rest === '') return
    family.names.add(name)
    const other = family.paths.get(rest)
    if (other !== undefined && other !== name) family.share = true
    else if (family.paths.size < MAX_PATHS) family.paths.set(rest, name)
    if (!INDEX.test(rest) && this.#seen.has(join(key, rest))) family.isBare = true
  }

  /** A page without a variant in its path is the newest version, or in the site's main language. */
  #noteBare(kind: Kind, path: string): void {
    if (INDEX.test(path)) return
    for (const [key, family] of this.#families[kind]) {
      const rest = path.slice(key === '' ? 0 : key.length + 1)
      if (path.startsWith(key) && family.paths.has(rest)) family.isBare = true
    }
  }
}

const newFamily = (): Family => ({
  names: new Set(),
  paths: new Map(),
  share: false,
  isBare: false,
  newest: { of: 0, names: new Map() },
})

function isAskedIn({ names, newest }: Family, name: string, asked: string): boolean {
  const most = newestAsked(asked)
  if (most === null) return isOfVersion(name, asked)
  if (newest.of !== names.size) newest.names.clear()
  newest.of = names.size
  const found = newest.names.get(most) ?? newestReleases(names, most)
  newest.names.set(most, found)
  return found.includes(name)
}

function placeOf(kind: Kind, segments: readonly string[]): Place | null {
  const isName = kind === 'version' ? isVersion : isLanguage
  const at = segments.slice(0, DEPTH).findIndex((segment) => isName(segment))
  if (at < 0) return null
  return {
    key: segments.slice(0, at).join('/'),
    name: segments[at]?.toLowerCase() ?? '',
    rest: segments.slice(at + 1).join('/'),
  }
}

const isVersion = (segment: string): boolean =>
  NUMBERED.test(segment) || STABLE.includes(segment.toLowerCase()) || UNSTABLE.has(segment.toLowerCase())

const isLanguage = (segment: string): boolean => LANGUAGE.test(segment)

const join = (key: string, rest: string): string => (key === '' ? rest : `${key}/${rest}`)

/** Returns the name to index, empty for pages without one; null if the trees may not be versions. */
function bestVersion({ names, isBare }: Family): string | null {
  const numbered = [...names].filter((name) => NUMBERED.test(name))
  const named = STABLE.find((name) => names.has(name))
  // Words such as `next` and `main` mean a version only beside an unambiguous one.
  if (numbered.length === 0 && named === undefined) return null
  if (isBare) return ''
  return named ?? numbered.toSorted(byNumber).at(-1) ?? null
}

function bestLanguage({ names, share, isBare }: Family): string | null {
  if (isBare) return ''
  const english = [...names].filter((name) => /^en(?:$|[-_])/.test(name)).toSorted()[0]
  if (names.size < 2 || !(share || english !== undefined)) return null
  return english ?? [...names][0] ?? null
}

function byNumber(a: string, b: string): number {
  const parts = (name: string) =>
    name
      .replace(/^v/, '')
      .split(/[._]/)
      .map((part) => (part === 'x' ? Number.POSITIVE_INFINITY : Number(part)))
  const [left, right] = [parts(a), parts(b)]
  for (let at = 0; at < Math.max(left.length, right.length); at++) {
    const [one, other] = [left[at] ?? 0, right[at] ?? 0]
    if (one !== other) return one < other ? -1 : 1
  }
  return 0
}
