import { isOfLine } from '#lib/text/version.ts'
import type { Entry, EntryKind, Section } from '../document.ts'
import { nameHash, nameKeys } from '../name-key.ts'
import { nameKind } from './label.ts'
import { type EntryHeading, entryHeading } from './release-heading.ts'

/** Names in one heading. */
const MOST_KEYS = 8

/** Sections of any page. Nobody looks them up. */
const GENERIC =
  /^(?:arguments|contents|description|examples?|(?:further|related) (?:reading|links)|notes?|parameters|references|return(?:s| values?)|see also|synopsis|table of contents|next steps?)$/i
const STEP = /^(?:step )?\d{1,2}[.:)] \p{L}|^step \d/iu

/** The thing that a heading names: the section with all subsections. Null for a heading of a part that any page has. */
export function headingEntry(text: string, section: Section, isRelease: boolean): Entry | null {
  const { level, heading, start, body, close } = section
  if (level === 0 || section.continues || GENERIC.test(heading)) return null
  const version = isRelease ? entryHeading(heading)?.version?.text : undefined
  const keys = [...(version === undefined ? [] : [version]), ...(isRelease ? [] : nameKeys(heading))]
  if (keys.length === 0 && !isRelease) return null
  const from = text.indexOf('#', start) + level
  const line = text
    .slice(from, body)
    .replace(/\{#[^\n]{0,200}\}\s*$/, '')
    .trimEnd()
  const name = { start: from + (line.length - line.trimStart().length), end: from + line.length }
  const kind: EntryKind = isRelease ? 'release' : STEP.test(heading) ? 'step' : nameKind(heading)
  return { kind, start, end: close, name, keys: [...new Set(keys.slice(0, MOST_KEYS).map(nameHash))] }
}

const CHANGELOG = /\bchange ?-?log\b|\brelease|\bhistory\b|\bversions?\b|\bnews\b|\bwhat.?s new\b|\bchanges\b|\bupgrad/i

/**
 * Sections of releases. Other pages number their sections too, so one is a release only if it has a date, if the title
 * says that it is one, or if at least half of the sections at its level are releases.
 */
export function releaseSections(title: string, sections: readonly Section[]): ReadonlySet<Section> {
  const named = sections.filter(({ level, heading }) => level > 0 && /\d|^\W*[unh]/i.test(heading))
  const releases = named.flatMap((section) => {
    const said = entryHeading(section.heading)
    return said === null ? [] : [{ section, said }]
  })
  if (releases.length === 0) return NONE
  const isChangelog = CHANGELOG.test(title)
  const share = (level: number) =>
    releases.filter(({ section }) => section.level === level).length /
    sections.filter((section) => section.level === level).length
  const shares = new Map([1, 2, 3, 4, 5, 6].map((level) => [level, share(level)]))
  const isOne = ({ section: { level }, said: { date } }: (typeof releases)[number]) =>
    isChangelog || date !== null || (releases.length > 1 && (shares.get(level) ?? 0) >= 0.5)
  return new Set(withoutParts(releases.filter(isOne)).map(({ section }) => section))
}

type Release = { section: Section; said: EntryHeading }

/** Omits a nested heading outside the version line of its parent, such as a runtime's version in the notes on a release. */
function withoutParts(releases: readonly Release[]): Release[] {
  const open: Release[] = []
  return releases.filter((release) => {
    while ((open.at(-1)?.section.close ?? Infinity) <= release.section.start) open.pop()
    const [outer, inner] = [open.at(-1)?.said.version ?? null, release.said.version]
    const isRelease = outer === null || (inner !== null && isOfLine(inner, outer))
    if (isRelease) open.push(release)
    return isRelease
  })
}

const NONE: ReadonlySet<Section> = new Set()
