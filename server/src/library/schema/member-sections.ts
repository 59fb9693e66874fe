import { type Parameter, proseLines } from '../reference/read-parameters.ts'
import type { Section } from '#documents/model/document.ts'

/** Maximum fields of a type. */
const MOST = 200
/** Lines at the start of a section that are searched for its type. */
const MOST_LINES = 12
/** Fewer typed sections are no list of fields. */
const LEAST = 2

/**
 * Fields of a type that a page documents as sections below it, each with a line such as `**Type:** string`. `sections`
 * begin with that of the type. Empty if fewer than two sections below it, or fewer than half of them, have one.
 */
export function memberSections(markdown: string, [, ...sections]: readonly Section[]): Parameter[] {
  const inside = sections.filter(({ level, continues }) => level > 0 && !continues)
  const top = inside.reduce((least, { level }) => Math.min(least, level), 7)
  const below = inside.filter(({ level }) => level === top)
  const fields = below.slice(0, MOST).flatMap((section) => fieldOf(markdown, section) ?? [])
  return fields.length >= LEAST && fields.length * 2 >= below.length ? fields : []
}

function fieldOf(text: string, { heading, blocks }: Section): Parameter | null {
  const lines = proseLines({ text, blocks: blocks.slice(0, MOST_LINES) }).slice(0, MOST_LINES)
  const typed = lines.findIndex((line) => TYPE.test(line))
  const name = /^([\w$.@?-]{1,120})(?:\(|$)/.exec(heading)?.[1]
  if (typed < 0 || name === undefined) return null
  const type = (TYPE.exec(lines[typed] ?? '')?.[1] ?? '').replaceAll('`', '').trim()
  const about = lines.find((line) => !LABEL.test(line)) ?? ''
  const isOptional = name.endsWith('?')
  return {
    name: (name.split('.').at(-1) ?? name).replace(/\?$/, ''),
    type,
    required: isOptional ? false : null,
    place: null,
    description: about.trim(),
  }
}

/** `**Type:** string`, `- **Type**: string`, `Type: string`. */
const TYPE = /^[-*+]?[ \t]{0,3}(?:\*\*)?Types?:?(?:\*\*)?:?[ \t]{1,3}(?=[`\w{<[("'])([^\n]{1,400})$/
const LABEL = /^[-*+]?[ \t]{0,3}\*\*[\w ]{1,30}:?\*\*/
