import { addressPath } from '#lib/addresses/page-address.ts'
import { compareVersions, parseVersion } from '#lib/text/version.ts'
import { excerpt } from '../excerpt.ts'
import { addressAt, headingPath, isOfApi, type OpenPage, pageAddress } from '../library-page.ts'
import { followReferences, type Referenced } from './follow-references.ts'
import { type Place, findPlaces } from '../reference/find-places.ts'
import { type Parameter, parameter, readParameters, proseLines } from '../reference/read-parameters.ts'
import type { Block, Section } from '../model/document.ts'
import { codeIn, tableOf } from '../model/read-block.ts'
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
  /** Schemas that it refers to. */
  references: Referenced[]
}

/** All definitions of `name` in the code of a page. */
export function definitionsOn(page: OpenPage, name: string): FoundSchema[] {
  if (!page.markdown.includes(name)) return []
  return page.sections.flatMap((section) =>
    codeIn(page.markdown, section.blocks).flatMap((code) => {
      const definition = code.text.includes(name) ? findDefinition(code, name) : null
      return definition ? { ...definition, page, ...placeOf(page, section), fields: [], references: [] } : []
    }),
  )
}

/**
 * Reads the schemas that a place about the name defines: in code, as JSON Schema, in tables, a section a member, or the
 * facts about one setting.
 */
function schemasUnder(place: Pick<Place, 'page' | 'section' | 'sections' | 'form'>, name: string): FoundSchema[] {
  const { page, section, sections } = place
  const { text, fields } = bestTable(place)
  const where = section.start === 0 ? { heading: '', url: pageAddress(page) } : placeOf(page, section)
  const known = { page, ...where, references: [] }
  const found = sections.flatMap(({ blocks }) => codeIn(page.markdown, blocks))
  const response = isOfApi(page) ? responseOf(place) : []
  for (const code of found) {
    const definition = findDefinition(code, name)
    if (definition) return [{ ...known, ...definition, fields }]
  }
  const json = found.find((code) => /^json/i.test(code.language ?? '') && isJsonSchema(code.text))
  if (json) return [{ ...known, format: 'json_schema', text: json.text.trim(), fields }]
  if (fields.length > 0) return [{ ...known, format: 'table', text: text.trim(), fields }, ...response]
  const members = memberSections(page.markdown, sections)
  const told = excerpt(page.markdown.slice(section.body, section.close).trim(), MOST_TEXT)
  if (members.length > 0) return [{ ...known, format: 'table', text: told, fields: members }]
  const fact = place.form === 'page' ? null : factOf(page.markdown, sections[0]?.blocks ?? [], section.heading)
  return fact === null ? response : [{ ...known, format: 'table', text: told, fields: [parameter(name, fact)] }]
}

/** What an operation returns: the first successful response with fields. */
function responseOf({ page, sections }: Pick<Place, 'page' | 'sections'>): FoundSchema[] {
  return sections
    .filter(({ heading }) => SUCCESS.test(heading))
    .flatMap((section): FoundSchema[] => {
      const text = page.markdown.slice(section.body, section.close).trim()
      const fields = readParameters({ text: page.markdown, blocks: section.blocks })
      const where = placeOf(page, section)
      return fields.length === 0 ? [] : [{ format: 'table', text, page, ...where, fields, references: [] }]
    })
    .slice(0, 1)
}

const SUCCESS = /^2(?:\d\d|XX)\b/i

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
/** Searches headings with the name first, then code that defines it. Repeated definitions appear once. */
export async function findSchemas(
  { library, search }: Deps,
  { name, scope }: { name: string; scope: Scope },
  signal: AbortSignal | undefined,
): Promise<FoundSchema[]> {
  const plain = /^[\w.$@/-]+$/.test(name) ? (name.split('.').at(-1) ?? name) : name
  const request = { query: name, limit: PASSAGES, budget: PASSAGE_BYTES, ...scope }
  const { places } = await findPlaces({ library, search }, { name, scope }, signal)
  const under = places.filter(({ match }) => match !== 'similar').flatMap((place) => schemasUnder(place, plain))
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
  return [...different.values()].toSorted((a, b) => preference(a) - preference(b) || newerFirst(a, b))
}

/** A schema with those that it refers to. */
export async function withReferences(library: Library, schema: FoundSchema): Promise<FoundSchema> {
  if (schema.format !== 'json_schema' || !schema.text.includes('"$ref"')) return schema
  return { ...schema, references: await followReferences(library, schema.page, schema.text) }
}

/** Files of one schema in several versions: `bom-1.6.schema.json` and `bom-1.7.schema.json`. */
function newerFirst(a: FoundSchema, b: FoundSchema): number {
  const [older, newer] = [a, b].map(({ format, page }) => {
    const version =
      format === 'json_schema' ? /(?<![\d.])\d{1,6}(?:\.\d{1,6}){1,4}/.exec(addressPath(page.url))?.[0] : undefined
    return parseVersion(version ?? '0') ?? { text: '0', numbers: [0], pre: null }
  })
  return older && newer ? compareVersions(newer, older) : 0
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
  const fact = factOf(text, blocks, heading)
  const name = /^([\w$.@?-]{1,120})(?:\(|$)/.exec(heading)?.[1]
  if (fact === null || fact.type === null || name === undefined) return null
  const own = (name.split('.').at(-1) ?? name).replace(/\?$/, '')
  return parameter(own, { ...fact, required: name.endsWith('?') ? false : null })
}

/** What a text, its table header or its heading says of one value. Null without type and default. */
function factOf(
  text: string,
  blocks: Section['blocks'],
  heading: string,
): Pick<Parameter, 'type' | 'description'> | null {
  const lines = proseLines({ text, blocks: blocks.slice(0, MOST_LINES) }).slice(0, MOST_LINES)
  const [table] = blocks.filter(({ kind }) => kind === 'table')
  const cells = table ? (tableOf(text, table).header?.cells ?? []).map(({ start, end }) => text.slice(start, end)) : []
  const bracketed = /\((default\b[^()\n]{0,200})\)/i.exec(heading)?.[1] ?? ''
  const facts = [...lines, ...cells, bracketed]
  const typed = facts.find((line) => TYPE.test(line))
  const valued = facts.find((line) => DEFAULT.test(line))
  if (typed === undefined && valued === undefined) return null
  const type = typed === undefined ? null : (TYPE.exec(typed)?.[1] ?? '').replaceAll('`', '').trim()
  const about = lines.find((line) => !LABEL.test(line) && line !== typed && line !== valued) ?? ''
  const said = [about, valued ?? ''].map((line) => line.replace(MARKER, '').trim())
  return { type, description: said.filter(Boolean).join(' ') }
}

/** `**Type:** string`, `- **Type**: string`, `Type: string`. */
const TYPE = /^[-*+]?[ \t]{0,3}(?:\*\*)?Types?:?(?:\*\*)?:?[ \t]{1,3}(?=[`\w{<[("'])([^\n]{1,400})$/
const LABEL = /^[-*+]?[ \t]{0,3}\*\*[\w ]{1,30}:?\*\*/
const DEFAULT =
  /^[-*+]?[ \t]{0,3}(?:\*\*)?(?:Default|Grammar|Syntax|Values?)\b(?: value)?:?(?:\*\*)?[:=]?[ \t]{0,3}\S?/i
const MARKER = /^[-*+][ \t]+/
