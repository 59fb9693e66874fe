import { z } from 'zod'
import { excerpt } from '#library/excerpt.ts'
import { fieldsToSchema } from '#library/schema/fields-to-schema.ts'
import { SCHEMA_FORMATS } from '#library/schema/find-definitions.ts'
import type { FoundSchema } from '#library/schema/read-schemas.ts'
import { fence } from '#mcp/passages/frame.ts'
import type { Entry } from './paged-answer.ts'
import { parameterMember } from '../definition/tool-result.ts'

/** Maximum characters of a definition. */
const MOST_TEXT = 12_000
const MOST_FIELDS = 200
/** Maximum characters of a schema derived from a table, which has the same content. */
const MOST_DERIVED = 6_000

/** Members of a schema in structured content. */
export const schemaResult = {
  format: z.enum(SCHEMA_FORMATS),
  text: z.string().describe('As the source has it'),
  fields: z.array(parameterMember),
  derivedJsonSchema: z.record(z.string(), z.unknown()).optional().describe('Made from a table'),
}

const FENCES: Record<string, string> = { json_schema: 'json', protobuf: 'proto' }

/** A schema as a result. */
export function schemaEntry({
  format,
  text,
  page,
  heading,
  url,
  fields,
}: FoundSchema): Entry<z.output<z.ZodObject<typeof schemaResult>>> {
  const shown = excerpt(text, MOST_TEXT)
  const derived = format === 'table' ? fieldsToSchema(fields.slice(0, MOST_FIELDS)) : null
  const derivedText = derived === null ? '' : JSON.stringify(derived)
  const isShort = derived !== null && derivedText.length <= MOST_DERIVED
  const isCut = shown.length < text.length
  const body = format === 'table' ? shown : fence(isCut ? text.slice(0, MOST_TEXT) : text, FENCES[format] ?? format)
  return {
    title: page.title,
    heading,
    url,
    sourceId: page.sourceId,
    text: [
      body,
      isCut ? '(cut here; open the source for the rest)' : '',
      // The table is from the source. The schema is ours and is labelled as such.
      isShort ? `The same as JSON Schema, made from this table:\n\n${fence(derivedText, 'json')}` : '',
    ]
      .filter(Boolean)
      .join('\n\n'),
    data: {
      format,
      text: isCut ? text.slice(0, MOST_TEXT).toWellFormed() : text,
      fields: fields.slice(0, MOST_FIELDS),
      ...(isShort ? { derivedJsonSchema: derived } : {}),
    },
  }
}
