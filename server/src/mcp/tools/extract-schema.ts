import { builtInTool } from '@docent/contract/values/tools'
import { z } from 'zod'
import { SCHEMA_FORMATS } from '#library/schema/find-definitions.ts'
import { findSchemas } from '#library/schema/find-schemas.ts'
import { oneLine } from '#mcp/passages/frame.ts'
import { sourceScope } from '#mcp/arguments/named-source.ts'
import { pagedAnswer, pagedOutput } from '#mcp/results/paged-answer.ts'
import { schemaEntry, schemaResult } from '../results/schema-result.ts'
import { cursorArgument, sourceArgument, textArgument } from '#mcp/arguments/shared-arguments.ts'
import { defineTool, READ_ONLY, type ToolContext } from '#mcp/definition/tool.ts'

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

const output = pagedOutput({ name: z.string(), formats: z.array(z.enum(SCHEMA_FORMATS)) }, schemaResult)

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
      entries: shown.map(schemaEntry),
      notes,
      nothing: `The sources define nothing called "${oneLine(name, 100)}". Schemas come from descriptions of APIs, from code, and from tables and code of documentation: check the name with search_docs, or add the API's description (type api) or the repository (type repo) that has it.`,
      about: { name, formats: [...new Set(found.map((each) => each.format))] },
    })
  },
})
