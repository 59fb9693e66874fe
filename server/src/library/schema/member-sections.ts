import { linesOf } from '../text-lines.ts'
import type { OpenPage } from '../library-page.ts'
import type { Parameter } from '../reference/read-parameters.ts'
import type { Section } from '#documents/model/document.ts'

/** Maximum fields of a type. */
const MOST = 200
/** Lines at the start of a section that are searched for its type. */
const MOST_LINES = 12
/** Fewer typed sections are no list of fields. */
const LEAST = 2

/**
 * Fields of a type that a page documents as sections below it, each with a line such as `**Type:** string`. Empty if
 * fewer than two sections, or fewer than half of them, have one.
 */
export function memberSections({ markdown, sections }: OpenPage, outer: Section): Parameter[] {
  const inside = sections.filter(({ start, level }) => start > outer.start && start < outer.close && level > 0)
  const top = Math.min(...inside.map(({ level }) => level))
  const below = inside.filter(({ level }) => level === top)
  const fields = below.slice(0, MOST).flatMap((section) => fieldOf(markdown, section) ?? [])
  return fields.length >= LEAST && fields.length * 2 >= below.length ? fields : []
}

function fieldOf(markdown: string, { heading, body, end }: Section): Parameter | null {
  const lines = linesOf(markdown.slice(body, Math.min(end, body + MOST_TEXT))).slice(0, MOST_LINES)
  const typed = lines.findIndex((line) => TYPE.test(line))
  const name = /^([\w$.@?-]{1,120})(?:\(|$)/.exec(heading)?.[1]
  if (typed < 0 || name === undefined) return null
  const type = (TYPE.exec(lines[typed] ?? '')?.[1] ?? '').replaceAll('`', '').trim()
  const about = lines.find((line) => line.trim() !== '' && !LABEL.test(line)) ?? ''
  const isOptional = name.endsWith('?')
  return {
    name: (name.split('.').at(-1) ?? name).replace(/\?$/, ''),
    type,
    required: isOptional ? false : null,
    place: null,
    description: about.trim(),
  }
}

/** Characters of a section that are read. */
const MOST_TEXT = 2_000
/** `**Type:** string`, `- **Type**: string`, `Type: string`. */
const TYPE = /^[-*+]?[ \t]{0,3}(?:\*\*)?Types?:?(?:\*\*)?:?[ \t]{1,3}(?=[`\w{<[("'])([^\n]{1,400})$/
const LABEL = /^[-*+]?[ \t]{0,3}\*\*[\w ]{1,30}:?\*\*/
