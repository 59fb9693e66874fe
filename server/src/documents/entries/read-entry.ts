import { oneLine } from '#lib/text/one-line.ts'
import { addressAt, addressOfText, headingPath, type OpenPage, pageAddress } from '../library-page.ts'
import type { Block, Entry, EntryKind, HeadingBlock, Section, Span } from '../model/document.ts'
import { plainInline } from '../model/markdown-blocks.ts'
import { definitionsOf, headAbove, itemsOf, proseKind, sentencesOf, tableOf } from '../model/read-block.ts'

/** A statement about a thing, such as its default. `label` is plain text, `value` is Markdown in one line. */
export type Fact = { label: string; value: string }

/** A thing that a page names, with everything that its place says about it. */
export type EntryText = {
  page: OpenPage
  kind: EntryKind | 'page'
  /** Plain text. */
  name: string
  /** The words below or beside the name, in one line. Can be empty. */
  description: string
  facts: Fact[]
  /** Markdown, whole blocks. A row has the header of its table and the title of its group. */
  text: string
  span: Span
  heading: string
  url: string
  /** A row, item, definition or section of its own, not a line of prose that begins with the name. */
  isDeclared: boolean
}

type Prose = Exclude<Block, HeadingBlock>
type Parts = Pick<EntryText, 'description' | 'facts' | 'text' | 'isDeclared'>

/** Characters of a description in a table or list. */
const MOST_DESCRIPTION = 400
const MOST_TEXT = 6_000
const MOST_FACTS = 40
/** `- Default: 5`, `**Needs** – a disk`. The label has at most five words. */
const LABELLED =
  /^(?:\*\*|__|`)?(?<label>[\p{L}\p{N}][^:：\n*`|]{0,60}?)(?:\*\*|__|`)?\s?(?:[:：]|\s[–—-]\s)(?:\*\*|__)?\s*(?<value>\S.*)$/su
const DESCRIBES =
  /^(?:descriptions?|meaning|what it (?:does|means)|purpose|explanation|notes?|about|beschreibung|bedeutung)$/i

/** Reads an entry of a page. Null if its page changed since. */
export function readEntry(page: OpenPage, entry: Entry): EntryText | null {
  const section = page.sections.findLast(({ start }) => start <= entry.start)
  if (section === undefined) return null
  const block = section.blocks.find(({ start, end }) => start <= entry.name.start && entry.name.end <= end)
  const name = plainInline(page.markdown.slice(entry.name.start, entry.name.end))
    .replaceAll('\\', '')
    .replace(/[:：]$/, '')
  const isSection = block === undefined || (block.kind === 'code' && entry.start < block.start)
  const parts = isSection ? sectionParts(page, section) : blockParts(page.markdown, entry, block)
  const path = headingPath(page, section)
  return {
    page,
    kind: entry.kind,
    name: isSection && block === undefined ? section.heading : name,
    span: isSection ? { start: section.start, end: section.close } : entry,
    heading: path,
    url: isSection ? addressAt(page, section) : addressOfText(page, section, entry.start),
    ...parts,
  }
}

/** A page as one thing: an operation or a schema of an API, or a page about a command. */
export function readWholePage(page: OpenPage, kind: EntryText['kind']): EntryText {
  const { markdown, sections, title } = page
  const blocks = sections.flatMap((section): readonly Prose[] => section.blocks)
  return {
    page,
    kind,
    name: title,
    span: { start: 0, end: markdown.length },
    heading: '',
    url: pageAddress(page),
    description: descriptionOf(markdown, blocks),
    facts: factsIn(markdown, blocks),
    text: markdown.slice(sections[0]?.level === 1 ? (sections[0]?.body ?? 0) : 0, MOST_TEXT),
    isDeclared: true,
  }
}

/** A section as one thing. */
export function readSection(page: OpenPage, section: Section, kind: EntryText['kind'] = 'definition'): EntryText {
  return {
    page,
    kind,
    name: section.level === 0 ? page.title : section.heading,
    span: { start: section.start, end: section.close },
    heading: headingPath(page, section),
    url: addressAt(page, section),
    ...sectionParts(page, section),
  }
}

function sectionParts({ markdown, sections }: OpenPage, section: Section): Parts {
  const inside = sections.filter(({ start }) => start >= section.start && start < section.close)
  const own = inside.flatMap((each): readonly Prose[] => each.blocks)
  // `### Default` below the name of a setting.
  const below = inside.slice(1).flatMap((each): Fact[] => {
    const value = descriptionOf(markdown, each.blocks)
    return value === '' || each.heading === '' ? [] : [{ label: each.heading, value }]
  })
  const text = markdown.slice(section.body, Math.min(section.close, section.body + MOST_TEXT)).trim()
  const description = descriptionOf(markdown, section.blocks) || descriptionOf(markdown, own)
  const facts = [...factsIn(markdown, section.blocks), ...below].slice(0, MOST_FACTS)
  return { description, facts, text, isDeclared: true }
}

function blockParts(text: string, entry: Entry, block: Prose): Parts {
  const own = text.slice(entry.start, Math.min(entry.end, entry.start + MOST_TEXT)).trimEnd()
  if (block.kind === 'table') return rowParts(text, entry, block)
  const isDefinition =
    block.kind === 'definition' || proseKind(text, block as Parameters<typeof proseKind>[1]) === 'definition'
  const found = isDefinition
    ? definitionsOf(text, block).find(({ term }) => term.start <= entry.name.start && entry.name.end <= term.end)
    : undefined
  if (found !== undefined) {
    const value = text.slice(found.body.start, found.body.end).replaceAll(/\n[ \t]*: ?/g, ' ')
    return { description: shortened(value), facts: labelled(value), text: own, isDeclared: true }
  }
  const rest = text.slice(entry.name.end, Math.min(entry.end, entry.name.end + MOST_TEXT))
  const said = rest.replace(/^\s*(?:\([^()\n]{0,80}\)\s*)?[:：–—-]?\s*/, '')
  const isSeparated =
    /^\s*(?:\([^()\n]{0,80}\)\s*)?(?:[:：–—-]|\n)/.test(rest) ||
    text.slice(entry.name.start, entry.name.end).includes(':')
  return { description: shortened(said), facts: labelled(said), text: own, isDeclared: isSeparated }
}

/** A row: the cells beside its name, with the header of each as the label. */
function rowParts(text: string, entry: Entry, block: Prose): Parts {
  const { header, rows } = tableOf(text, block)
  const row = rows.find(({ start }) => start === entry.start)
  const cellOf = ({ start, end }: Span) => text.slice(start, end)
  const labels = header?.cells.map((cell) => plainInline(cellOf(cell))) ?? []
  const facts = (row?.cells ?? []).flatMap((cell, at): Fact[] => {
    const value = oneLine(cellOf(cell))
    const isName = cell.start <= entry.name.start && entry.name.start < cell.end
    return isName || value === '' ? [] : [{ label: labels[at] ?? '', value }]
  })
  const said = facts.find(({ label }) => DESCRIBES.test(label)) ?? facts.at(-1)
  return {
    description: shortened(said?.value ?? ''),
    facts,
    text: headAbove(text, block.start, entry.start) + text.slice(entry.start, entry.end).trimEnd(),
    isDeclared: true,
  }
}

/** Statements with a label in the blocks of a section: items, definitions, rows of two cells, and lines such as `Cause: …`. */
export function factsIn(text: string, blocks: readonly Prose[]): Fact[] {
  const facts = blocks.flatMap((block): Fact[] => {
    if (block.kind === 'code' || block.kind === 'image') return []
    if (block.kind === 'table') return pairsOf(text, block)
    const defined = definitionsOf(text, block)
    if (defined.length > 0)
      return defined.map(({ term, body }) => ({
        label: plainInline(text.slice(term.start, term.end)),
        value: shortened(text.slice(body.start, body.end)),
      }))
    const items = block.kind === 'list' ? itemsOf(text, block).map(({ body, end }) => text.slice(body, end)) : []
    return [...(items.length > 0 ? items : [text.slice(block.start, block.end)])].flatMap((each) => labelled(each))
  })
  return facts.slice(0, MOST_FACTS)
}

/** A table of two columns without a name per row: `| Throughput | 4,000 |`. */
function pairsOf(text: string, block: Prose): Fact[] {
  return tableOf(text, block).rows.flatMap(({ cells }) => {
    const [label, value, ...others] = cells
    if (label === undefined || value === undefined || others.length > 0) return []
    return [
      { label: plainInline(text.slice(label.start, label.end)), value: oneLine(text.slice(value.start, value.end)) },
    ]
  })
}

function labelled(text: string): Fact[] {
  const { label, value } = LABELLED.exec(text.trim().slice(0, 1_000))?.groups ?? {}
  const words = label?.split(/\s+/).length ?? 0
  if (label === undefined || value === undefined || words > 5) return []
  return [{ label: plainInline(label), value: shortened(value) }]
}

/** The first paragraph, or what its items say. */
function descriptionOf(text: string, blocks: readonly Prose[]): string {
  const isProse = ({ kind, start }: Prose) =>
    kind === 'paragraph' && !/^(?:Operation|Tags): |^[|>!]/.test(text.slice(start, start + 20))
  const prose = blocks.find(isProse) ?? blocks.find(({ kind }) => kind === 'list' || kind === 'definition')
  return prose === undefined ? '' : shortened(text.slice(prose.start, prose.end))
}

/** One line, cut after a sentence where possible. */
function shortened(text: string): string {
  const line = oneLine(text.slice(0, MOST_DESCRIPTION * 3))
  if (line.length <= MOST_DESCRIPTION) return line
  const whole = sentencesOf(line).findLast(({ end }) => end <= MOST_DESCRIPTION)
  return whole === undefined ? `${line.slice(0, MOST_DESCRIPTION - 1).toWellFormed()}…` : line.slice(0, whole.end)
}
