import type { Passage } from '#search/passage.ts'
import type { Library, Scope } from '../library.ts'
import { type LibraryPage, passageOfSection, type Ranked } from '../library-page.ts'
import { partOfSection } from '../model/sections.ts'
import { type Described, joinSame, ordered } from './order-releases.ts'
import { readRelease, type ReleaseHead, type ReleaseKind, type ReleaseNote } from './read-releases.ts'
import { aboutNames, hasWords, isLatest, releaseTest, type ReleaseFilters } from './release-filters.ts'

/** Maximum pages of a kind. The largest changelogs are one page; releases are one page each. */
const MOST_PAGES = 400

export type Release = Described<ReleaseNote>

/** `isEmpty`: no page describes a release. */
type Found = { told: Described<ReleaseHead>[]; found: Release[]; isEmpty: boolean }

/**
 * Finds what changed: the releases that pass the filters, with their texts. Begins with the exact version asked for,
 * then newest first. `told` are all releases about the query. Returns the name of a filter that cannot be read.
 * Versions are read from the index, and only the pages of the first `most` releases are opened, unless a filter or the
 * order needs a text.
 */
export async function findReleases(
  library: Library,
  asked: ReleaseFilters,
  { scope = {}, most }: { scope?: Scope; most: number },
): Promise<Found | 'version' | 'range' | 'since'> {
  const test = releaseTest(asked)
  if (typeof test === 'string') return test
  const heads = await headsIn(library, scope)
  const isEmpty = heads.length === 0
  const { named, telling } = aboutNames(heads, asked.query)
  const isRead = telling.length > 0 || asked.since !== undefined
  const candidates = isRead ? named : named.filter((head) => isUnknown(head) || test(head))
  if (!isRead && (isOrdered(candidates) || isLatest(asked.version))) {
    const chosen = ordered(candidates, asked).slice(0, most)
    const texts = await openAll(
      library,
      chosen.flatMap((each) => [each, ...each.alsoAt]),
    )
    const found = chosen.flatMap((each) => described(each, texts) ?? [])
    return { told: joinSame(named), found, isEmpty }
  }
  const texts = await openAll(library, candidates)
  const notes = candidates.flatMap((head) => readFrom(texts, head)).filter((note) => hasWords(note, telling))
  return { told: joinSame(isRead ? notes : named), found: ordered(notes.filter(test), asked), isEmpty }
}

/** A release as a passage: its section, or its page. */
export function passageOfRelease({ page, start, end, heading }: ReleaseNote, ranked: Ranked): Passage {
  const section = heading === '' ? undefined : page.sections.find((each) => each.start === start)
  return passageOfSection(page, partOfSection(section, { start, end }), ranked)
}

async function headsIn(library: Library, scope: Scope): Promise<ReleaseHead[]> {
  const read = async (kind: ReleaseKind) =>
    (await library.pagesOf([kind], scope)).slice(0, MOST_PAGES).flatMap((page) => library.releasesOn(page, kind))
  const [releases, changelogs, migrations] = await Promise.all([read('release'), read('changelog'), read('migration')])
  const told = new Set(changelogs.map(({ page }) => page.url))
  // A changelog can also be titled as a guide.
  return [...releases, ...changelogs, ...migrations.filter(({ page }) => !told.has(page.url))]
}

/** True for a page that can say its version in its text alone. */
function isUnknown({ version, heading }: ReleaseHead): boolean {
  return version === null && heading === ''
}

/** True if versions alone give the order: those of one component. */
function isOrdered(heads: readonly ReleaseHead[]): boolean {
  const [first] = heads
  return heads.every(({ version, component, page }) => {
    return version !== null && component === first?.component && page.sourceId === first.page.sourceId
  })
}

/** Opened pages by source and address. */
type Texts = ReadonlyMap<string, Awaited<ReturnType<Library['open']>>[number]>

async function openAll(library: Library, heads: readonly ReleaseHead[]): Promise<Texts> {
  const pages = new Map(heads.map(({ page }) => [keyOf(page), page]))
  return new Map((await library.open([...pages.values()])).map((page) => [keyOf(page), page]))
}

function keyOf({ sourceId, url }: LibraryPage): string {
  return `${sourceId} ${url}`
}

function readFrom(texts: Texts, head: ReleaseHead): ReleaseNote[] {
  const page = texts.get(keyOf(head.page))
  const note = page ? readRelease(page, head) : null
  return note ? [note] : []
}

/** A release with the texts of its descriptions. Null if none has one. */
function described(release: Described<ReleaseHead>, texts: Texts): Release | null {
  const [first, ...alsoAt] = [release, ...release.alsoAt].flatMap((head) => readFrom(texts, head))
  return first ? { ...first, date: first.date ?? alsoAt.find(({ date }) => date !== null)?.date ?? null, alsoAt } : null
}

const BREAKING = /\bbreaking\b|\bbackwards?[- ]incompatib|💥/i

/** True if a release declares a breaking change. Migration guides always count. */
export function isBreaking({ kind, heading, text, alsoAt }: Release): boolean {
  const others = alsoAt.map((other) => other.text)
  return kind === 'migration' || [heading, text, ...others].some((own) => BREAKING.test(own))
}
