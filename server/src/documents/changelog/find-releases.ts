import type { Passage } from '#search/passage.ts'
import type { Library, Scope } from '../library.ts'
import { passageOfSection, type Ranked } from '../library-page.ts'
import { partOfSection } from '../model/sections.ts'
import { ordered, type Release } from './order-releases.ts'
import { readRelease, readReleases, type ReleaseHead, type ReleaseKind, type ReleaseNote } from './read-releases.ts'
import { aboutNames, hasWords, relatedTo, releaseTest, type ReleaseFilters } from './release-filters.ts'

/** Maximum pages of a kind. The largest changelogs are one page; releases are one page each. */
const MOST_PAGES = 400

/**
 * Finds what changed: the releases that pass the filters, with their texts, the exact version first, then newest first.
 * Returns the name of a filter that cannot be read. Versions are read from the index, and only the pages of the wanted
 * ones are opened. `passageOfRelease` makes a passage of one.
 */
export async function findReleases(
  library: Library,
  asked: ReleaseFilters,
  scope: Scope = {},
): Promise<{ told: readonly ReleaseHead[]; found: Release[]; isEmpty: boolean } | 'version' | 'range' | 'since'> {
  const test = releaseTest(asked)
  if (typeof test === 'string') return test
  const heads = await headsIn(library, scope, relatedTo(asked))
  const { named, telling } = aboutNames(heads, asked.query)
  // A query and a day need the texts of all.
  const isRead = telling.length > 0 || asked.since !== undefined
  const notes = await openReleases(library, isRead ? named : named.filter((head) => isUnknown(head) || test(head)))
  const about = notes.filter((note) => hasWords(note, telling))
  return { told: isRead ? about : named, found: ordered(about.filter(test), asked), isEmpty: heads.length === 0 }
}

/** A release as a passage: its section, or its page. */
export function passageOfRelease({ page, start, end, heading }: ReleaseNote, ranked: Ranked): Passage {
  const section = heading === '' ? undefined : page.sections.find((each) => each.start === start)
  return passageOfSection(page, partOfSection(section, { start, end }), ranked)
}

async function headsIn(
  library: Library,
  scope: Scope,
  isRelated: ReturnType<typeof relatedTo>,
): Promise<ReleaseHead[]> {
  const read = async (kind: ReleaseKind) =>
    (await library.pagesOf([kind], scope)).slice(0, MOST_PAGES).flatMap((page) => readReleases(page, kind, isRelated))
  const [releases, changelogs, migrations] = await Promise.all([read('release'), read('changelog'), read('migration')])
  const told = new Set(changelogs.map(({ page }) => page.url))
  // A changelog can also be titled as a guide.
  return [...releases, ...changelogs, ...migrations.filter(({ page }) => !told.has(page.url))]
}

/** True for a page that can say its version in its text alone. */
function isUnknown({ version, heading }: ReleaseHead): boolean {
  return version === null && heading === ''
}

async function openReleases(library: Library, heads: readonly ReleaseHead[]): Promise<ReleaseNote[]> {
  const keyOf = ({ page }: Pick<ReleaseHead, 'page'>) => `${page.sourceId} ${page.url}`
  const wanted = new Map(heads.map((head) => [keyOf(head), head.page]))
  const opened = await library.open([...wanted.values()])
  const pages = new Map(opened.map((page) => [keyOf({ page }), page]))
  return heads.flatMap((head) => {
    const page = pages.get(keyOf(head))
    return (page && readRelease(page, head)) ?? []
  })
}

const BREAKING = /\bbreaking\b|\bbackwards?[- ]incompatib|💥/i

/** True if a release declares a breaking change. Migration guides always count. */
export function isBreaking({ kind, heading, text, alsoAt }: Release): boolean {
  const others = alsoAt.map((other) => other.text)
  return kind === 'migration' || [heading, text, ...others].some((own) => BREAKING.test(own))
}
