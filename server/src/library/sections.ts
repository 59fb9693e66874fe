import { linkLabels } from '#lib/text/replace-links.ts'

/** A heading of a page and the text below it. Offsets are UTF-16 units into the page's Markdown. */
export type TextSection = {
  /** 1 to 6, or 0 for text above the first heading. */
  level: number
  /** Plain text without Markdown. */
  heading: string
  start: number
  /** Start of the section's text. */
  body: number
  /** Start of the next heading, or the end of the page. */
  end: number
  /** Start of the next heading at this level or above: the end of all subsections. */
  close: number
}

/** Maximum characters read of a heading. */
export const MAX_HEADING = 1_000
/** Maximum sections of a page. Text after the last one belongs to it, because tools compare neighbouring sections. */
export const MAX_SECTIONS = 4_000

const HEADING_OR_FENCE = /^ {0,3}(?:(#{1,6})[ \t]+(.*)|(`{3,}|~{3,}).*)/gm

/** Splits a page into sections, in order. Non-blank text above the first heading is a section too. */
export function sectionsOf(markdown: string): TextSection[] {
  const sections: TextSection[] = []
  let fence: string | null = null
  for (const { index, 0: line, 1: marks, 2: text = '', 3: mark } of markdown.matchAll(HEADING_OR_FENCE)) {
    if (mark !== undefined) {
      if (fence === null) fence = mark
      else if (line.trim().startsWith(fence) && /^[`~]+$/.test(line.trim())) fence = null
    } else if (fence === null && marks !== undefined) {
      if (sections.length >= MAX_SECTIONS) break
      const body = Math.min(markdown.length, index + line.length + 1)
      sections.push({
        level: marks.length,
        heading: plainHeading(text.slice(0, MAX_HEADING)),
        start: index,
        body,
        end: -1,
        close: -1,
      })
    }
  }
  const first = sections[0]?.start ?? markdown.length
  if (markdown.slice(0, first).trim() !== '') {
    sections.unshift({ level: 0, heading: '', start: 0, body: 0, end: -1, close: -1 })
  }
  return closed(sections, markdown.length)
}

function closed(sections: TextSection[], length: number): TextSection[] {
  const open: TextSection[] = []
  for (const [index, section] of sections.entries()) {
    section.end = sections[index + 1]?.start ?? length
    while (open.length > 0 && (open.at(-1)?.level ?? 0) >= section.level) close(open.pop(), section.start)
    open.push(section)
  }
  for (const section of open) close(section, length)
  return sections
}

function close(section: TextSection | undefined, at: number): void {
  if (section) section.close = section.level === 0 ? section.end : at
}

/** Text of a heading without the markup of links, code, emphasis and escapes. */
export function plainHeading(text: string): string {
  return linkLabels(text.replace(/(?<![ \t])[ \t]+#+[ \t]*$/, ''))
    .replaceAll(/\\(?=[\\`*_{}[\]()#+.!<>|~-])/g, '')
    .replaceAll(/`+|\*\*/g, '')
    .trim()
}
