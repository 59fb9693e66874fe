import { excerpt } from '../excerpt.ts'
import { addressAt, headingPath, type OpenPage, pageAddress } from '../library-page.ts'
import { type Place, findPlaces } from '../reference/find-places.ts'
import { type Parameter, parameter, readParameters, proseLines } from '../reference/read-parameters.ts'
import type { Block, Section } from '../model/document.ts'
import { codeIn } from '../model/read-block.ts'
import {
  type Definition,
  findDefinition,
  isJsonSchema,
  PREFERRED_FORMATS,
  type SchemaFormat,
} from './find-definitions.ts'
import type { Library, Scope, Search } from '../library.ts'

export type FoundSchema = Definition & {
  page: OpenPage
  heading: string
  url: string
  /** Fields of the same schema, if the page has a table of them. */
  fields: Parameter[]
}

/** All definitions of `name` in the code of a page. */
export function definitionsOn(page: OpenPage, name: string): FoundSchema[] {
  if (!page.markdown.includes(name)) return []
  return page.sections.flatMap((section) =>
    codeIn(page.markdown, section.blocks).flatMap((code) => {
      const definition = code.text.includes(name) ? findDefinition(code, name) : null
      return definition ? { ...definition, page, ...placeOf(page, section), fields: [] } : []
    }),
  )
}

/** Reads the schema that a section about the name defines: in code, as JSON Schema, in a table, or a section a member. */
function schemaUnder(place: Pick<Place, 'page' | 'section' | 'sections'>, name: string): FoundSchema | null {
  const { page, section, sections } = place
  const { text, fields } = bestTable(place)
  const where = section.start === 0 ? { heading: '', url: pageAddress(page) } : placeOf(page, section)
  const found = sections.flatMap(({ blocks }) => codeIn(page.markdown, blocks))
  for (const code of found) {
    const definition = findDefinition(code, name)
    if (definition) return { ...definition, page, ...where, fields }
  }
  const json = found.find((code) => /^json/i.test(code.language ?? '') && isJsonSchema(code.text))
  if (json) return { format: 'json_schema', text: json.text.trim(), page, ...where, fields }
  if (fields.length > 0) return { format: 'table', text: text.trim(), page, ...where, fields }
  const members = memberSections(page.markdown, sections)
  const told = page.markdown.slice(section.body, section.close).trim()
  return members.length === 0
    ? null
    : { format: 'table', text: excerpt(told, MOST_TEXT), page, ...where, fields: members }
}

/** Characters of a type that is documented in sections. */
const MOST_TEXT = 12_000

/** `class flask.Blueprint(name, import_name)` */
const DECLARED = /^(?:class|struct|interface|exception) [\w.]{1,200}\(/

const BODY = /^request body\b/i
const FIELDS = /^(?:fields|input fields|values|properties|props|attributes|columns|arguments|parameters|options)\b/i

/** The text with the fields: for an operation the request body, for a type its fields. */
function bestTable({ page, section, sections }: Pick<Place, 'page' | 'section' | 'sections'>) {
  const { markdown: text } = page
  const read = (own: readonly Section[], start: number, end: number) => ({
    text: text.slice(start, end),
    fields: readParameters({ text, blocks: own.flatMap((each): readonly Block[] => each.blocks) }),
  })
  if (DECLARED.test(section.heading)) {
    // The sections below a declared class are its members, with parameters of their own.
    const own = read(sections.slice(0, 1), section.body, section.end)
    if (own.fields.length > 0) return own
  }
  const named =
    sections.find(({ heading }) => BODY.test(heading)) ?? sections.find(({ heading }) => FIELDS.test(heading))
  if (named === undefined) return read(sections, section.body, section.close)
  const inside = sections.filter(({ start }) => start >= named.start && start < named.close)
  return read(inside, named.body, named.close)
}

function placeOf(page: OpenPage, section: Section): { heading: string; url: string } {
  if (section.level === 0) return { heading: '', url: page.url }
  return { heading: headingPath(page, section), url: addressAt(page, section) }
}

const PASSAGES = 12
const PASSAGE_BYTES = 60_000
const MOST_PAGES = 10

type Deps = { library: Library; search: Search }
type Wanted = { name: string; scope: Scope }

/** Searches headings with the name first, then code that defines it. Repeated definitions appear once. */
export async function findSchemas(
  { library, search }: Deps,
  { name, scope }: Wanted,
  signal: AbortSignal | undefined,
): Promise<FoundSchema[]> {
  const plain = /^[\w.$@/-]+$/.test(name) ? (name.split('.').at(-1) ?? name) : name
  const request = { query: name, limit: PASSAGES, budget: PASSAGE_BYTES, ...scope }
  const { places } = await findPlaces({ library, search }, { name, scope }, signal)
  const under = places.filter(({ match }) => match !== 'similar').flatMap((place) => schemaUnder(place, plain) ?? [])
  // The defining code can be under any heading.
  const isKnown = under.some(({ format }) => format !== 'table')
  const coded = isKnown ? [] : (await search({ ...request, code: true }, signal)).passages
  const addresses = [...new Set(coded.map(({ url }) => url.replace(/#.*/s, '')))].slice(0, MOST_PAGES)
  const opened = await library.open(await library.pagesAt(addresses, scope))
  const all = [...under, ...opened.flatMap((page) => definitionsOn(page, plain))]
  const different = new Map<string, FoundSchema>()
  for (const each of all) {
    const key = each.text.replaceAll(/\s+/g, ' ')
    if (!different.has(key)) different.set(key, each)
  }
  return [...different.values()].toSorted((a, b) => preference(a) - preference(b))
}

function preference({ format }: FoundSchema): number {
  return PREFERRED_FORMATS.findIndex((formats: readonly SchemaFormat[]) => formats.includes(format))
}

const MOST = 200
/** Lines at the start of a section that are searched for its type. */
const MOST_LINES = 12
/** Fewer typed sections are no list of fields. */
const LEAST = 2

/** Fields documented as sections, each with a line such as `**Type:** string`. Empty if fewer than half have one. */
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
  const own = (name.split('.').at(-1) ?? name).replace(/\?$/, '')
  return parameter(own, { type, required: isOptional ? false : null, description: about.trim() })
}

/** `**Type:** string`, `- **Type**: string`, `Type: string`. */
const TYPE = /^[-*+]?[ \t]{0,3}(?:\*\*)?Types?:?(?:\*\*)?:?[ \t]{1,3}(?=[`\w{<[("'])([^\n]{1,400})$/
const LABEL = /^[-*+]?[ \t]{0,3}\*\*[\w ]{1,30}:?\*\*/
