import { builtInTool } from '@docent/contract/tools'
import { z } from 'zod'
import { excerpt } from '#library/excerpt.ts'
import { findPlaces } from '#library/reference/find-places.ts'
import { fieldsToSchema } from '#library/schema/fields-to-schema.ts'
import { SCHEMA_FORMATS } from '#library/schema/find-definitions.ts'
import { definitionsOn, FORMAT_ORDER, type FoundSchema, schemaUnder } from '#library/schema/read-schemas.ts'
import { fence } from '../fence.ts'
import { oneLine } from '../frame.ts'
import { sourceScope } from '../named-source.ts'
import { type Entry, pagedAnswer, pagedOutput } from '../paged-answer.ts'
import { parameterMember } from '../parameter-member.ts'
import { cursorArgument, sourceArgument } from '../shared-arguments.ts'
import { defineTool, READ_ONLY } from '../tool.ts'
import type { ToolContext } from '../tool-context.ts'

const PASSAGES = 12
const PASSAGE_BYTES = 60_000
/** Pages whose code is searched. */
const MOST_PAGES = 10
/** Maximum characters of a definition. */
const MOST_TEXT = 12_000
const BYTES = 16_000
const MOST_FIELDS = 200
/** Maximum characters of a schema derived from a table, which has the same content. */
const MOST_DERIVED = 6_000

const input = z.object({
  name: z
    .string()
    .trim()
    .min(1)
    .max(500)
    .describe('What to get the schema of: a type, table, message, configuration, or an endpoint such as POST /users'),
  format: z.enum(SCHEMA_FORMATS).optional().describe('Only as the source has it in this form'),
  source: sourceArgument,
  limit: z.int().min(1).max(10).default(2).describe('How many definitions'),
  cursor: cursorArgument,
})

const result = {
  format: z.enum(SCHEMA_FORMATS),
  text: z.string().describe('As the source has it'),
  fields: z.array(parameterMember),
  derivedJsonSchema: z.record(z.string(), z.unknown()).optional().describe('Made from a table'),
}
const output = pagedOutput({ name: z.string(), formats: z.array(z.enum(SCHEMA_FORMATS)) }, result)

export const extractSchema = defineTool<typeof input, typeof output, ToolContext>({
  ...builtInTool('extract_schema'),
  annotations: READ_ONLY,
  input,
  output,
  async call(context, { cursor, limit, ...asked }, signal) {
    const { name, format } = asked
    const scope = sourceScope(context.server, asked.source)
    const found = await findSchemas(context, { name, scope }, signal)
    const fitting = format === undefined ? found : found.filter((each) => each.format === format)
    const others = [...new Set(found.map((each) => each.format))].filter((each) => each !== format)
    const shown = fitting.length > 0 ? fitting : found
    const notes =
      format !== undefined && fitting.length === 0 && found.length > 0
        ? [`The sources do not have it as ${format}, but as ${others.join(', ')}.`]
        : []
    return pagedAnswer(context, {
      tool: 'extract_schema',
      asked,
      cursor,
      limit,
      bytes: BYTES,
      entries: shown.map(entryOf),
      notes,
      nothing: `The sources define nothing called "${oneLine(name, 100)}". Schemas come from descriptions of APIs, from code, and from tables and code of documentation: check the name with search_docs, or add the API's description (type api) or the repository (type repo) that has it.`,
      about: { name, formats: [...new Set(found.map((each) => each.format))] },
    })
  },
})

type Wanted = { name: string; scope: { sourceId?: string } }

/** Searches headings with the name first, then code that defines it. Repeated definitions appear once. */
async function findSchemas(
  context: ToolContext,
  { name, scope }: Wanted,
  signal: AbortSignal | undefined,
): Promise<FoundSchema[]> {
  const plain = /^[\w.$@/-]+$/.test(name) ? (name.split('.').at(-1) ?? name) : name
  const request = { query: name, limit: PASSAGES, budget: PASSAGE_BYTES, ...scope }
  const { library } = context
  const { passages } = await context.search(request, signal)
  const places = await findPlaces(library, { name, scope, passages })
  const under = places.filter(({ match }) => match !== 'similar').flatMap((place) => schemaUnder(place, plain) ?? [])
  // The defining code can be under any heading.
  const isKnown = under.some(({ format }) => format !== 'table')
  const coded = isKnown ? [] : (await context.search({ ...request, code: true }, signal)).passages
  const addresses = [...new Set(coded.map(({ url }) => url.replace(/#.*/s, '')))].slice(0, MOST_PAGES)
  const pages = await Promise.all(addresses.map((address) => library.pageAt(address, scope)))
  const opened = await library.open(pages.filter((page) => page !== null))
  const all = [...under, ...opened.flatMap((page) => definitionsOn(page, plain))]
  const different = new Map<string, FoundSchema>()
  for (const each of all) {
    const key = each.text.replaceAll(/\s+/g, ' ')
    if (!different.has(key)) different.set(key, each)
  }
  return [...different.values()].toSorted((a, b) => FORMAT_ORDER[a.format] - FORMAT_ORDER[b.format])
}

const FENCES: Record<string, string> = { json_schema: 'json', protobuf: 'proto' }

type Data = z.output<z.ZodObject<typeof result>>

function entryOf({ format, text, page, heading, url, fields }: FoundSchema): Entry<Data> {
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
