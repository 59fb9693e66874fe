import type { Block, Entry, EntryKind, HeadingBlock, Section, Span } from '../document.ts'
import { definitionsOf, itemsOf, linesOf, proseKind, tableOf } from '../read-block.ts'
import { sectionsOf } from '../sections.ts'
import { bareEntries, columnKind, isFact, labelEntry } from './bare-entries.ts'
import { headingKind } from './heading-kind.ts'
import { isDeclaredBelow } from './declared-below.ts'
import { isOfLine } from '#lib/text/version.ts'
import { nameHash, nameKeys } from '../name-key.ts'
import { type EntryHeading, entryHeading } from './release-heading.ts'

/** More than the largest references have. Bounds what a damaged page adds to the index. */
const MOST_ENTRIES = 10_000

/** The things that a page names, in order. Linear in the length of the text. */
export function readEntries({
  title,
  markdown,
  blocks,
}: {
  title: string
  markdown: string
  blocks: readonly Block[]
}): Entry[] {
  const sections = sectionsOf(blocks, markdown.length, MOST_ENTRIES)
  const releases = releaseSections(title, sections)
  const page: Page = { title, text: markdown, isStep: stepHeadings(title, sections), declaring: declaringIn(blocks) }
  const hasDefinitions = markdown.includes('\n: ')
  const entries: Entry[] = []
  for (const section of sections) {
    if (entries.length >= MOST_ENTRIES) break
    // A changelog without a title has that of its first release.
    const isRelease = releases.has(section)
    const isTitle = section.heading === title && (section.level === 1 || !isRelease)
    const own = isTitle ? null : headingEntry(page, section, isRelease)
    if (own !== null) entries.push(own)
    for (const block of section.blocks) {
      const steps = stepEntries(markdown, block, section, title)
      entries.push(...(steps.length > 0 ? steps : blockEntries(markdown, block, hasDefinitions)))
    }
    entries.push(...bareEntries(markdown, section))
  }
  return entries.toSorted((a, b) => a.start - b.start).slice(0, MOST_ENTRIES)
}

type Page = {
  title: string
  text: string
  isStep(section: Section): boolean
  /** Starts of headings that declare the symbol below them. */
  declaring: ReadonlySet<number>
}

function declaringIn(blocks: readonly Block[]): Set<number> {
  return new Set(blocks.flatMap((block) => (block.kind === 'heading' && block.declares ? [block.start] : [])))
}

function blockEntries(text: string, block: Exclude<Block, HeadingBlock>, hasDefinitions: boolean): Entry[] {
  if (block.kind === 'table') return rowEntries(text, block)
  if (block.kind === 'code' || block.kind === 'image') return []
  // A list of definitions in HTML is a list until its text is read.
  if (block.kind === 'definition' || (hasDefinitions && proseKind(text, block) === 'definition'))
    return definitionsOf(text, block).flatMap(({ start, end, term }) => labelEntry(text, { start, end }, term) ?? [])
  return itemEntries(text, block)
}

/** Rows of a table. A larger one is data. */
const MOST_ROWS = 500
/** Empty cells before the name of a row. */
const MOST_EMPTY = 1

/**
 * The rows of a table with a name: in the first column, or after columns of facts such as the type. A name in the header
 * is the entry that the text below the table describes.
 */
function rowEntries(text: string, block: Span): Entry[] {
  const { header, rows } = tableOf(text, block, MOST_ROWS)
  if (header === null || rows.length > MOST_ROWS) return []
  const cellAt = ({ start, end }: Span) => text.slice(start, end)
  const heads = header.cells.map((cell) => cellAt(cell).replaceAll(/[*`]/g, ''))
  const named = isFact(heads[0] ?? '') ? heads.findIndex((head) => columnKind(head) !== undefined) : 0
  if (named < 0) return []
  const kind = columnKind(heads[named] ?? '')
  // A name and its code, of errors and states.
  const codes = heads.flatMap((head, at) => (at !== named && /\bcodes?$/i.test(head) ? [at] : []))
  return rows.flatMap(({ start, end, cells }) => {
    const other = codes
      .flatMap((at) => cells[at] ?? [])
      .flatMap((cell) => labelEntry(text, { start, end }, cell, kind) ?? [])
    const at = named > 0 ? named : cells.findIndex((cell) => cell.end > cell.start)
    const cell = at > named + MOST_EMPTY ? undefined : cells[at]
    const isTitle = cells.every((each, index) => index === at || each.start === each.end)
    return cell === undefined || isTitle ? [] : [labelEntry(text, { start, end }, cell, kind) ?? [], other].flat()
  })
}

/** A label at the start of an item or a line: `**name**`, `__name__` or code. */
const MARKS = ['**', '__', '`'] as const
/** What follows the label of a paragraph: `**Lid**: …`, `**Lid** – …`. */
const SEPARATOR = /^(?: \([^()\n]{0,80}\))?[ \t]{0,2}[:：–—-][ \t]{0,4}\S/

/** Items of a list, and lines of a paragraph, that begin with a name as code or in bold. */
function itemEntries(text: string, block: Block): Entry[] {
  const own = text.slice(block.start, block.end)
  if (!MARKS.some((mark) => own.includes(mark))) return []
  return block.kind === 'list' ? ofList(text, block) : ofLines(text, block)
}

function ofList(text: string, block: Span): Entry[] {
  return itemsOf(text, block).flatMap(({ start, end, body }) => {
    const label = labelAt(text, body, end)
    const isDescribed = label !== null && text.slice(label.end, end).trim().length > 1
    return isDescribed ? (labelEntry(text, { start, end }, label) ?? []) : []
  })
}

function ofLines(text: string, block: Span): Entry[] {
  const labels: Span[] = []
  for (const { start, end } of linesOf(text, block)) {
    const label = labelAt(text, start, end)
    if (label !== null && isSeparated(text, label, end)) labels.push(label)
  }
  return labels.flatMap((label, at) => {
    const end = labels[at + 1] === undefined ? block.end : (labels[at + 1]?.start ?? 0) - 1
    return labelEntry(text, { start: label.start, end }, label) ?? []
  })
}

/** The colon can be inside: `**Lid:** what it does`. */
function isSeparated(text: string, { start, end }: Span, lineEnd: number): boolean {
  const rest = text.slice(end, Math.min(lineEnd, end + 100))
  return SEPARATOR.test(rest) || (/[:：]\*\*$/.test(text.slice(start, end)) && rest.trim() !== '')
}

/** The label that begins at an offset, with its marks, or null. */
function labelAt(text: string, at: number, end: number): Span | null {
  const mark = MARKS.find((each) => text.startsWith(each, at))
  if (mark === undefined) return null
  const close = text.indexOf(mark, at + mark.length)
  return close < 0 || close + mark.length > end ? null : { start: at, end: close + mark.length }
}

/** Names in one heading. */
const MOST_KEYS = 8

/** Sections of any page. Nobody looks them up. */
const GENERIC =
  /^(?:arguments|author|contents|description|examples?|(?:further|related) (?:reading|links)|notes?|parameters|references|return(?:s| values?)|see also|synopsis|table of contents|next steps?)$/i

/** The thing that a heading names: the section with all subsections. Null for a heading of a part that any page has. */
function headingEntry({ text, title, isStep, declaring }: Page, section: Section, isRelease: boolean): Entry | null {
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
  const raw = text.slice(name.start, name.end)
  const declares =
    declaring.has(start) || (section.blocks[0] !== undefined && isDeclaredBelow(heading, section.blocks[0], text))
  const kind: EntryKind = isRelease
    ? 'release'
    : isStep(section)
      ? 'step'
      : headingKind(section, { title, raw, declares })
  return { kind, start, end: close, name, keys: [...new Set(keys.slice(0, MOST_KEYS).map(nameHash))] }
}

const CHANGELOG = /\bchange ?-?log\b|\brelease|\bhistory\b|\bversions?\b|\bnews\b|\bwhat.?s new\b|\bchanges\b|\bupgrad/i

/** Sections of releases: those with a date, on a page about releases, or like half of the sections at their level. */
function releaseSections(title: string, sections: readonly Section[]): ReadonlySet<Section> {
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
  const isOne = ({ section, said: { date } }: (typeof releases)[number]) =>
    date !== null ||
    (isChangelog
      ? !isChapter(section, title)
      : releases.length > 1 && !TITLED.test(section.heading) && (shares.get(section.level) ?? 0) >= 0.5)
  return new Set(withoutParts(releases.filter(isOne)).map(({ section }) => section))
}

/** A number with a title behind it, as chapters have: `2.1 Install it`. */
const TITLED = /^\W*(\d+(?:\.\d+)+)[.:)]?\s+[^\s\d(–—-]/

/** True for a chapter of a chapter, or of a page with its number: `2.1 Install it` below `2 First steps`. */
function isChapter({ heading, path }: Section, title: string): boolean {
  const number = TITLED.exec(heading)?.[1]
  const outer = /^\W*(\d+(?:\.\d+)*)/.exec(path.at(-1) ?? title)?.[1]
  return number !== undefined && outer !== undefined && (number === outer || number.startsWith(`${outer}.`))
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

/** Fewer or more items of an ordered list are no procedure. */
const LEAST = 2
const MOST = 40
const LONGEST_NAME = 120

/** Headings that announce what somebody does: `How to …`, `Installing …`, `Create …`. */
const HOW_TO =
  /\b(?:how (?:to|do|can)|instructions?|procedure|quick ?-?start|getting started|set(?:ting)? up|steps|tutorial|walk-?through|(?:re|un)?install(?:ation|ing)?|configur(?:e|ing)|migrat(?:e|ing)|upgrad(?:e|ing))\b|^\W*(?:\d[\d.]* )?(?:[A-Z][a-z]+ing|Add|Build|Change|Check|Connect|Convert|Copy|Create|Debug|Define|Deploy|Disable|Download|Enable|Export|Generate|Get|Import|Make|Move|Open|Prepare|Publish|Register|Remove|Replace|Restore|Run|Send|Set|Start|Submit|Switch|Test|Turn|Update|Use|Verify|Write) /
/** An item that says what to do begins with a verb in its base form. */
const IMPERATIVE =
  /^(?:\*\*|_)?(?!(?:a|all|always|an|as|at|both|by|each|every|first|for|from|he|her|his|if|in|it|its|no|of|on|one|our|she|some|that|the|their|there|these|they|this|those|to|two|we|what|when|where|which|while|with|you|your)\b)\p{L}{2,20}(?<!\p{L}{2}(?:ed|ing|ly)|[^s]s)(?=[\s,])/iu
const STEP = /^step \d/i
const NUMBERED = /^\d{1,2}[.:)] \p{L}/u

/** True if a heading, or the one above it, announces what somebody does. */
function isHowTo({ heading, path }: Section, title: string): boolean {
  return HOW_TO.test(heading) || HOW_TO.test(path.at(-1) ?? title)
}

/** Tells headings of steps: `Step 2`, and numbered ones of a procedure. Chapters of a document are numbered too. */
function stepHeadings(title: string, sections: readonly Section[]): (section: Section) => boolean {
  const isDivided = sections.some(({ heading }) => /^\d{1,2}\.\d/.test(heading))
  const numbered = isDivided ? [] : sections.filter(({ heading }) => NUMBERED.test(heading))
  const isProcedure = numbered.filter((section) => isHowTo(section, title)).length * 2 >= numbered.length
  const steps = new Set(isProcedure ? numbered : [])
  return (section) => STEP.test(section.heading) || steps.has(section)
}

/** The items of an ordered list as steps, if the heading announces what somebody does. */
function stepEntries(text: string, block: Block, section: Section, title: string): Entry[] {
  if (block.kind !== 'list' || !isHowTo(section, title)) return []
  const items = itemsOf(text, block)
  const [first] = items
  const top = items.filter(({ indent, ordered }) => ordered && indent === first?.indent)
  if (first?.ordered !== true || top.length < LEAST || top.length > MOST) return []
  const imperative = top.filter(({ body }) => IMPERATIVE.test(text.slice(body, body + LONGEST_NAME)))
  if (imperative.length * 2 < top.length) return []
  return top.map(({ start, body }, at): Entry => {
    const end = top[at + 1]?.start ?? block.end
    const name = nameOf(text, { start: body, end })
    return { kind: 'step', start, end, name, keys: [nameHash(text.slice(name.start, name.end).toLowerCase())] }
  })
}

/** The first sentence or line of an item. */
function nameOf(text: string, { start, end }: Span): Span {
  const line = text.slice(start, Math.min(end, start + LONGEST_NAME)).split('\n', 1)[0] ?? ''
  const stop = /[.:!?](?=\s|$)/.exec(line)?.index ?? line.length
  return { start, end: start + Math.max(1, line.slice(0, stop).trimEnd().length) }
}
