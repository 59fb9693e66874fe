import { oneLine } from '#lib/text/one-line.ts'
import { chunksOf, type OpenPage } from '../library-page.ts'
import type { Entry, EntryKind, Section, Span } from '../model/document.ts'
import { plainInline } from '../model/markdown-blocks.ts'

/** Kinds of entries that are things with a name. The others are titles of text. */
const NAMING: ReadonlySet<EntryKind> = new Set([
  'command',
  'endpoint',
  'member',
  'message',
  'option',
  'release',
  'schema',
  'setting',
])
/** Sections about one thing each, below one heading, that are shown as a list of names. */
const LEAST_LISTED = 3
const LONGEST = 60

/** The things that a page names, in order. */
export function thingsOn(page: OpenPage): Entry[] {
  return chunksOf(page).flatMap(({ entries = [] }) => entries.filter(({ kind }) => NAMING.has(kind)))
}

/** Names of things whose entries begin in a part of a page, without arguments and marks, each once. */
export function namesIn(page: OpenPage, things: readonly Entry[], { start, end }: Span): string[] {
  const inside = things.filter((each) => each.start >= start && each.start < end)
  const names = inside.map(({ name }) => plainName(page.markdown.slice(name.start, name.end)))
  return [...new Set(names.filter((name) => name !== '' && name.length <= LONGEST))]
}

/** `set-url` for `set-url [--] <path>`, `Pool.close` for `Pool.close([callback])`. */
export function plainName(written: string): string {
  const name = oneLine(plainInline(written).replaceAll('\\', ''))
  return name.replace(/(?<=[\w$)])\s*[[<({=].*$/s, '').replace(/[:,;]$/, '')
}

/** The sections of a page without those about one thing among others, which a list of names stands for. */
export function withoutListed(sections: readonly Section[], things: readonly Entry[]): Section[] {
  const starts = new Set(things.map(({ start }) => start))
  const isThing = ({ start, level }: Section) => level > 1 && starts.has(start)
  const siblings = Map.groupBy(sections.filter(isThing), ({ path }) => path.join('\n'))
  const isListed = (section: Section) =>
    isThing(section) && (siblings.get(section.path.join('\n'))?.length ?? 0) >= LEAST_LISTED
  let until = 0
  return sections.filter((section) => {
    if (isListed(section)) until = Math.max(until, section.close)
    return section.start >= until
  })
}
