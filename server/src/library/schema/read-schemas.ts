import { excerpt } from '../excerpt.ts'
import { codeOf } from '#documents/model/text-parts.ts'
import { addressAt, headingPath, type OpenPage, pageAddress } from '../library-page.ts'
import type { Place } from '../reference/find-places.ts'
import { type Parameter, readDocumentParameters } from '../reference/read-parameters.ts'
import type { Section } from '#documents/model/document.ts'
import { memberSections } from './member-sections.ts'
import { type Definition, findDefinitions, isSchema, type SchemaFormat } from './find-definitions.ts'

/** A definition with its location. */
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
  return codeOf(page.markdown).flatMap((fence) =>
    (fence.text.includes(name) ? findDefinitions(fence, name) : []).map((definition) => {
      const section = page.sections.findLast(({ start }) => start <= fence.start)
      return { ...definition, page, ...placeOf(page, section), fields: [] }
    }),
  )
}

/**
 * The schema in a section about the name: a definition of it, a JSON Schema, a table of fields, or sections with the
 * type of each field. Null if there is none.
 */
export function schemaUnder({ page, section }: Pick<Place, 'page' | 'section'>, name: string): FoundSchema | null {
  const markdown = page.markdown.slice(section.start, section.close)
  const fields = readDocumentParameters(bestTable(page, section))
  const where = section.start === 0 ? { heading: '', url: pageAddress(page) } : placeOf(page, section)
  const fences = codeOf(markdown)
  for (const fence of fences) {
    const [definition] = findDefinitions(fence, name)
    if (definition) return { ...definition, page, ...where, fields }
  }
  const json = fences.find(({ language, text }) => /^json/i.test(language ?? '') && isSchema(parse(text)))
  if (json) return { format: 'json_schema', text: json.text.trim(), page, ...where, fields }
  if (fields.length === 0) {
    const members = memberSections(page, section)
    const text = page.markdown.slice(section.body, section.close).trim()
    return members.length === 0
      ? null
      : { format: 'table', text: excerpt(text, MOST_TEXT), page, ...where, fields: members }
  }
  return { format: 'table', text: bestTable(page, section).trim(), page, ...where, fields }
}

/** Characters of a type that is documented in sections. */
const MOST_TEXT = 12_000

/** `class flask.Blueprint(name, import_name)` */
const DECLARED = /^(?:class|struct|interface|exception) [\w.]{1,200}\(/

const BODY = /^request body\b/i
const FIELDS = /^(?:fields|input fields|values|properties|props|attributes|columns|arguments|parameters|options)\b/i

/** For an operation the request body, for a type its fields. */
function bestTable({ markdown, sections }: OpenPage, section: Section): string {
  const own = markdown.slice(section.body, section.end)
  // The sections below a declared class are its members, with parameters of their own.
  if (DECLARED.test(section.heading) && readDocumentParameters(own).length > 0) return own
  const inside = sections.filter(({ start }) => start >= section.start && start < section.close)
  const named = inside.find(({ heading }) => BODY.test(heading)) ?? inside.find(({ heading }) => FIELDS.test(heading))
  return named ? markdown.slice(named.body, named.close) : markdown.slice(section.body, section.close)
}

function placeOf(page: OpenPage, section: Section | undefined): { heading: string; url: string } {
  if (!section || section.level === 0) return { heading: '', url: page.url }
  return { heading: headingPath(page, section), url: addressAt(page, section) }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Preference among formats of the same schema; lower says more. */
export const FORMAT_ORDER: Record<SchemaFormat, number> = {
  json_schema: 0,
  graphql: 1,
  sql: 1,
  typescript: 1,
  protobuf: 1,
  prisma: 1,
  go: 2,
  rust: 2,
  python: 2,
  java: 2,
  table: 3,
}
