import type { Block, Entry, HeadingBlock, Section } from '../model/document.ts'
import { namesIn } from '../model/entries/bare-entries.ts'
import { type AskedKeys, nameKeys } from '../model/name-key.ts'
import { plainInline } from '../model/markdown-blocks.ts'
import { headAbove } from '../model/read-block.ts'
import { partOfSection } from '../model/sections.ts'
import { isOfApi, type Named, type OpenPage } from '../library-page.ts'

/** An entry with its section: a page, a section, a part of a section, a row or item, or a section that declares a function. */
export type NamedText = {
  page: OpenPage
  section: Section
  /** The section with its subsections, or the part of one with its blocks. */
  sections: readonly Section[]
  form: 'page' | 'section' | 'bare' | 'row' | 'declared'
  row?: { name: string; text: string }
  /** Name of a part of a section, without marks. */
  label?: string
  /** Absent for a page. */
  entry?: Entry
  /** Set if the name is the id of the operation that the page is about. */
  isOperation?: true
}

type Asked = { name: string; keys: AskedKeys }
type Own = Exclude<Block, HeadingBlock>

/** Characters of a row. Longer ones hold other things too. */
const LONGEST = 2_000
/** Characters at the start of a page in which it declares what it is about. */
const HEAD = 3_000
/** Headings of a declaration that the whole page is about. */
const SYNOPSIS = /^(?:synopsis|syntax|declaration|definition|prototype|signature|usage|function|method)s?\b/i
/** A value behind a name: `--port <n>`, `limit=N`, `size INTEGER`. */
const VALUE = /^(?:[ =]?[<[({]|[=:]|\s+[A-Z<[{])/

/** Reads an entry on its page. Null if its text does not have the name. */
export function readNamed(page: OpenPage, { entry }: Named, asked: Asked): NamedText | null {
  if (entry === null) return wholePage(page)
  const read = readEntryNamed(page, entry, asked)
  return read && { ...read, entry }
}

function readEntryNamed(page: OpenPage, entry: Entry, { name, keys }: Asked): NamedText | null {
  const at = page.sections.findLastIndex(({ start }) => start <= entry.start)
  const section = page.sections[at]
  if (!section) return null
  const written = page.markdown.slice(entry.name.start, entry.name.end)
  const block = section.blocks.find(({ start, end }) => start <= entry.name.start && entry.name.end <= end)
  if (block === undefined) return headed(page, section, keys)
  if (block.kind === 'code' && entry.start < block.start) {
    const bare = name.replace(/(?<!\s)\s*\(.*/s, '').trim()
    return written === bare ? declared(page, section, block) : null
  }
  if (isOfApi(page) && page.markdown.startsWith('Operation: `', entry.start))
    return written === `\`${name}\`` ? { ...wholePage(page), isOperation: true } : null
  if (!isNamed(written, name)) return null
  const part = partOfSection(section, entry)
  const plain = plainInline(written).replaceAll('\\', '')
  if (block.kind === 'code' || entry.end > block.end) {
    const blocks = section.blocks.filter(({ start }) => start >= entry.start && start < entry.end)
    return { page, section: part, sections: [{ ...part, blocks }], form: 'bare', label: plain }
  }
  const row = { name: plain, text: textOf(page.markdown, entry, block) }
  const blocks = [{ ...block, start: entry.start, end: entry.end }]
  return { page, section: part, sections: [{ ...part, blocks }], form: 'row', row }
}

/** A section about a name. */
export function wholeSection(page: OpenPage, section: Section): NamedText {
  const sections = page.sections.filter(({ start }) => start >= section.start && start < section.close)
  return { page, section, sections, form: 'section' }
}

/** A page about a name. */
export function wholePage(page: OpenPage): NamedText {
  const { markdown, sections } = page
  const whole = partOfSection(sections[0], { start: 0, end: markdown.length })
  const section = { ...whole, body: sections[0]?.body ?? 0, end: sections[0]?.end ?? 0 }
  return { page, section, sections, form: 'page' }
}

/** A section with the name in its heading. The page has the name of its first heading. */
function headed(page: OpenPage, section: Section, { whole, part }: AskedKeys): NamedText | null {
  const titled = section.level === 1 ? nameKeys(page.title) : []
  return [...whole, ...part].some((key) => titled.includes(key)) ? null : wholeSection(page, section)
}

/** A page that begins with the declaration of the name is about it, otherwise the section. */
function declared(page: OpenPage, section: Section, code: Own): NamedText {
  const isOfPage = code.start < HEAD && (section.level <= 1 || SYNOPSIS.test(section.heading))
  return { ...(isOfPage ? wholePage(page) : wholeSection(page, section)), form: 'declared' }
}

/**
 * True if a label has the name: alone, among others, or with a value behind it. Case matters in code and options. Of an
 * option with a command, `--to` of `docent backup create`, the label may lack words of the command: `create --to PATH`.
 */
function isNamed(label: string, name: string): boolean {
  const asked = optionOf(name)
  const fold = (text: string) => (/^[`|-]/.test(label) || asked.option.startsWith('-') ? text : text.toLowerCase())
  const key = fold(asked.option)
  return namesIn(label).some((each) => {
    const { command, option } = optionOf(each)
    if (command !== '' && asked.command !== '' && !` ${asked.command}`.endsWith(` ${command}`)) return false
    const own = fold(option).replace(/[:：]$/, '')
    return own === key || (own.startsWith(key) && VALUE.test(option.slice(key.length)))
  })
}

/** The last option of a name, and the words before it. A name without one is all option. */
function optionOf(name: string): { command: string; option: string } {
  const words = name.trim().split(/\s(?=-)/)
  return { option: words.at(-1) ?? name, command: words.slice(0, -1).join(' ') }
}

/** The text of an entry. A row has the header of its table and the title of its group. */
function textOf(text: string, { start, end }: Entry, block: Own): string {
  const own = text.slice(start, Math.min(end, start + LONGEST)).trimEnd()
  return block.kind === 'table' ? headAbove(text, block.start, start) + own : own
}
