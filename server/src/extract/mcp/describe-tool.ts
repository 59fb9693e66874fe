import { joinParts } from '../api/api-document.ts'
import { fieldTable, writeExample, writeJsonSchema } from '../api/describe-schema.ts'
import { embedText } from '../api/embed-text.ts'
import { createReferences } from '../api/references.ts'
import { sampleValue } from '../api/sample-value.ts'
import { oneLineOf } from './one-line-of.ts'

export type ToolFacts = {
  name: string
  title: string | null
  description: string | null
  /** Unvalidated JSON Schemas. */
  inputSchema: Record<string, unknown>
  outputSchema: Record<string, unknown> | null
}

/** Describes a tool of a remote MCP server: its description, with arguments and results as tables. */
export function describeTool(
  { name, title, description, inputSchema, outputSchema }: ToolFacts,
  server: string,
): string {
  const shown = oneLineOf(name)
  const called = title === null || title === name ? '' : `, called "${oneLineOf(title)}"`
  const example = sampleValue(createReferences(inputSchema), inputSchema) ?? {}
  return joinParts([
    `# ${shown}`,
    `Tool \`${shown}\` of the MCP server ${oneLineOf(server)}${called}.`,
    embedText(description ?? '', 1),
    section('Arguments', inputSchema) || 'It takes no arguments.',
    outputSchema === null ? '' : section('Result', outputSchema),
    joinParts(['## Example call', writeExample({ name: shown, arguments: example })]),
    definition(inputSchema),
  ])
}

function definition(schema: Record<string, unknown>): string {
  const text = writeJsonSchema(schema)
  return text === '' ? '' : joinParts(['## JSON Schema of the arguments', text])
}

function section(heading: string, schema: Record<string, unknown>): string {
  const table = fieldTable(createReferences(schema), schema)
  return table === '' ? '' : joinParts([`## ${heading}`, table])
}
