import { describe, schemaType } from '../api/schema-fields.ts'
import { fieldTable, writeJsonSchema } from '../api/describe-schema.ts'
import { isRecord, type Loose, parseData, recordOf, textOf } from '../api/parse-data.ts'
import { createReferences } from '../api/references.ts'
import { embedText, joinParts } from '../markdown/write-markdown.ts'
import { oneLine, visible } from '#lib/text/one-line.ts'
import type { FileDocument } from './repository-file.ts'

/** The meta-schema that a JSON Schema declares. Other files name the schema that they follow. */
const DECLARED = /["']?\$schema["']?\s*:\s*["']?https?:\/\/json-schema\.org\/(?:draft[-/][\w-]{1,12}\/)?schema\b/
/** Definitions of a schema. Generated schemas have some hundred. */
const MAX_DEFINITIONS = 1_000
/** Maximum length of one definition, in characters. */
const MAX_SCHEMA = 24_000
/** File names that do not name a schema. */
const GENERIC = /^(?:(?:index|main|root|schema)$|\d)/i

/** True if a file is a JSON Schema, by the beginning of its text. */
export function declaresJsonSchema(start: string): boolean {
  return DECLARED.test(start)
}

/** Converts a JSON Schema to a document with a section per definition. Null for a file that is none. */
export function jsonSchemaDocument(path: string, text: string): FileDocument | null {
  const data = parseData(text)
  if (data.kind !== 'data' || !isRecord(data.value)) return null
  const { $defs, definitions, ...root } = data.value
  const references = createReferences(data.value)
  const own = baseOf(path)
  const said = oneLine(textOf(root['title'])).replace(/\.$/, '')
  const name = GENERIC.test(own) ? said || path : own
  const id = textOf(root['$id']) || textOf(root['id'])
  const facts = [
    said === name ? '' : said,
    `JSON Schema \`${path}\`${id === '' ? '' : `, \`${id}\``}: ${schemaType(references, root)}.`,
  ]
  let markdown = visible(joinParts([`# ${name} (schema)`, ...facts.filter(Boolean), ...partsOf(references, root, 1)]))
  const lines: { offset: number; line: number }[] = [{ offset: 0, line: 1 }]
  const lineOf = createLineFinder(text)
  const all = [...Object.entries(recordOf($defs)), ...Object.entries(recordOf(definitions))]
  for (const [key, schema] of all.slice(0, MAX_DEFINITIONS)) {
    if (!isRecord(schema)) continue
    lines.push({ offset: markdown.length + 2, line: lineOf(key) })
    markdown += visible(`\n\n${joinParts([`## ${oneLine(baseOf(key))} (schema)`, ...partsOf(references, schema, 2)])}`)
  }
  return { title: `${name} (schema)`, markdown, lines }
}

function partsOf(references: ReturnType<typeof createReferences>, schema: Loose, level: number): string[] {
  const { description, title, $schema, $id, ...bounds } = schema
  const about = embedText(textOf(description) || (level > 1 ? textOf(title) : ''), level)
  return [about, describe(bounds), fieldTable(references, schema), writeJsonSchema(schema, MAX_SCHEMA)]
}

/** `info` for `definitions/3.0.0/info.json` and for the address of a definition. */
function baseOf(path: string): string {
  const file = path.slice(path.lastIndexOf('/') + 1)
  return file.replace(/(?:\.schema)?\.(?:json|ya?ml)$/i, '') || path
}

/** Finds the lines of definitions, which are asked for in the order of the file. */
function createLineFinder(text: string): (key: string) => number {
  let at = Math.max(0, text.search(/["']?(?:\$defs|definitions)["']?\s*:/))
  let line = text.slice(0, at).split('\n').length
  return (key) => {
    const written = text.indexOf(`${JSON.stringify(key)}:`, at)
    const next = written >= 0 ? written : text.indexOf(`${key}:`, at)
    if (next > at) line += text.slice(at, next).split('\n').length - 1
    at = Math.max(at, next)
    return line
  }
}
