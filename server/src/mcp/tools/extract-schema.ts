import { z } from 'zod'
import { SCHEMA_FORMATS } from '#documents/schema/find-definitions.ts'
import { findSchemas, type FoundSchema, withReferences } from '#documents/schema/read-schemas.ts'
import { fence, oneLine, paragraphs } from '../passages/format-citation.ts'
import { sourceScope } from '../arguments/named-source.ts'
import { type EntryOf, offsetOf, pagedAnswer, pagedOutput, placeIn } from '../results/paged-answer.ts'
import { cursorArgument, sourceArgument, textArgument } from '../arguments/shared-arguments.ts'
import { defineReader } from '../definition/tool.ts'
import { addressAt } from '#documents/library-page.ts'
import { excerpt } from '#documents/excerpt.ts'
import { fieldsToSchema } from '#documents/schema/fields-to-schema.ts'
import { parameterMember } from '../definition/tool-result.ts'

const BYTES = 16_000

const input = z.object({
  name: textArgument(
    500,
    'What to get the schema of: a type, table, message, configuration, or an endpoint such as POST /users',
  ),
  format: z.enum(SCHEMA_FORMATS).optional().describe('Only as the source has it in this form'),
  source: sourceArgument,
  limit: z.int().min(1).max(10).default(2).describe('How many definitions'),
  cursor: cursorArgument,
})

/** Members of a schema in structured content. */
const schemaResult = {
  format: z.enum(SCHEMA_FORMATS),
  text: z.string().describe('As the source has it'),
  fields: z.array(parameterMember),
  references: z
    .array(z.object({ ref: z.string(), url: z.string(), text: z.string() }))
    .optional()
    .describe('Schemas that it refers to, in this and other files of the source'),
  derivedJsonSchema: z.record(z.string(), z.unknown()).optional().describe('Made from a table'),
}

const output = pagedOutput({ name: z.string(), formats: z.array(z.enum(SCHEMA_FORMATS)) }, schemaResult)

export const extractSchema = defineReader('extract_schema', {
  input,
  output,
  async call(context, { cursor, limit, ...asked }, signal) {
    const { name, format } = asked
    const scope = sourceScope(context.server, asked.source)
    const paging = { tool: 'extract_schema', asked, cursor, limit }
    const found = await findSchemas(context, { name, scope }, signal)
    const formats = [...new Set(found.map((each) => each.format))]
    const isOther = format !== undefined && formats.length > 0 && !formats.includes(format)
    const wanted = isOther ? found : found.filter((each) => each.format === (format ?? each.format))
    const upTo = wanted.slice(0, offsetOf(paging) + limit + 1)
    const shown = await Promise.all(upTo.map((each) => withReferences(context.library, each)))
    return pagedAnswer(context, paging, {
      bytes: BYTES,
      entries: shown.map(schemaEntry),
      notes: isOther ? [`The sources do not have it as ${format}, but as ${formats.join(', ')}.`] : [],
      nothing: `The sources define nothing called "${oneLine(name, 100)}". Schemas come from descriptions of APIs, from code, and from tables and code of documentation: check the name with search_docs, or add the API's description (type api) or the repository (type repo) that has it.`,
      about: { name, formats },
    })
  },
})

/** Maximum characters of a definition. */
const MOST_TEXT = 12_000
const MOST_FIELDS = 200
/** Maximum characters of a schema derived from a table, which has the same content. */
const MOST_DERIVED = 6_000

const FENCES: Record<string, string> = { json_schema: 'json', protobuf: 'proto' }

function schemaEntry({
  format,
  text,
  page,
  heading,
  url,
  fields,
  references,
}: FoundSchema): EntryOf<typeof schemaResult> {
  const shown = excerpt(text, MOST_TEXT)
  const isCut = shown.length < text.length
  const verbatim = isCut ? text.slice(0, MOST_TEXT).toWellFormed() : text
  const kept = fields.slice(0, MOST_FIELDS)
  // The facts about one setting are no object.
  const isObject = fields.length > 1 || fields.some(({ type }) => type !== null)
  const derived = format === 'table' && isObject ? fieldsToSchema(kept) : undefined
  const derivedText = JSON.stringify(derived) ?? ''
  const isShort = derived !== undefined && derivedText.length <= MOST_DERIVED
  const referenced = references.map((each) => ({
    ref: each.ref,
    url: addressAt(each.page, each.section),
    text: each.text,
  }))
  return {
    ...placeIn(page, heading, url),
    text: paragraphs(
      format === 'table' ? shown : fence(verbatim, FENCES[format] ?? format),
      isCut ? '(cut here; open the source for the rest)' : '',
      isBare(format, text) ? fieldList(kept) : '',
      ...referenced.map(
        ({ ref, url: at, text: own }) => `Refers to \`${oneLine(ref, 200)}\` (${at}):\n\n${fence(own, 'json')}`,
      ),
      // The table is from the source. The schema is ours and is labelled as such.
      isShort ? `The same as JSON Schema, made from this table:\n\n${fence(derivedText, 'json')}` : '',
    ),
    data: {
      format,
      text: verbatim,
      fields: kept,
      ...(referenced.length > 0 ? { references: referenced } : {}),
      ...(isShort ? { derivedJsonSchema: derived } : {}),
    },
  }
}

/** True for a declaration without its members, as references of classes have it. */
function isBare(format: FoundSchema['format'], text: string): boolean {
  return format !== 'table' && format !== 'json_schema' && !/[{(:]/.test(text)
}

/** Fields shown below a declaration. */
const FIELDS_SHOWN = 60

function fieldList(fields: FoundSchema['fields']): string {
  const lines = fields.slice(0, FIELDS_SHOWN).map(({ name, type, description }) => {
    const typed = type === null ? '' : ` (${oneLine(type, 100)})`
    return `- \`${oneLine(name, 120)}\`${typed}${description === '' ? '' : `: ${oneLine(description, 200)}`}`
  })
  const more = fields.length > FIELDS_SHOWN ? [`- … ${fields.length - FIELDS_SHOWN} more`] : []
  return lines.length === 0 ? '' : ['It has:', '', ...lines, ...more].join('\n')
}
