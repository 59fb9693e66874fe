import { elementAt } from '#lib/arrays.ts'
import { visible } from '#lib/text/one-line.ts'
import { fenced } from '../markdown/write-markdown.ts'
import { jsonSchemaDocument } from './json-schema-document.ts'
import type { FileDocument } from './repository-file.ts'

const GRAPHQL = /^(?:extend[ \t]+)?(?:type|input|interface|enum|union|scalar|directive)[ \t]+(@?\w+)/gm
const SQL =
  /^[ \t]*create[ \t]+(?:or[ \t]+replace[ \t]+)?(?:(?:temp|temporary|unlogged|materialized)[ \t]+)?(?:table|view|type|domain|function|procedure)[ \t]+(?:if[ \t]+not[ \t]+exists[ \t]+)?((?:["`[]?\w+["`\]]?\.){0,2}["`[]?\w+["`\]]?)/gim

const LANGUAGES: Record<string, { fence: string; definition: RegExp }> = {
  sql: { fence: 'sql', definition: SQL },
  ddl: { fence: 'sql', definition: SQL },
  graphql: { fence: 'graphql', definition: GRAPHQL },
  graphqls: { fence: 'graphql', definition: GRAPHQL },
  gql: { fence: 'graphql', definition: GRAPHQL },
  proto: { fence: 'protobuf', definition: /^(?:message|enum|service)[ \t]+(\w+)/gm },
  prisma: { fence: 'prisma', definition: /^(?:model|enum|type|view)[ \t]+(\w+)/gm },
}

const QUOTES = '"""'

/** Maximum number of definitions. Migrations and generated interfaces have a few hundred; nobody reads further. */
const MAX_DEFINITIONS = 1_000

export function isSchemaEnding(ending: string): boolean {
  return Object.hasOwn(LANGUAGES, ending)
}

/** Converts a schema file to a document with a section per definition and its comments. Null without definitions. */
export function schemaDocument(path: string, given: string): FileDocument | null {
  if (/\.(?:json|ya?ml)$/i.test(path)) return jsonSchemaDocument(path, given)
  const language = LANGUAGES[/\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? '']
  if (!language) return null
  const text = given.replaceAll('\r\n', '\n')
  const found = [...text.matchAll(language.definition)].slice(0, MAX_DEFINITIONS)
  if (found.length === 0) return null
  const starts = found.map(({ index }) => withComments(text, index))
  let markdown = visible(`# ${path}`)
  let line = 1
  let counted = 0
  const lines: { offset: number; line: number }[] = []
  for (const [index, { 1: name = '' }] of found.entries()) {
    const start = elementAt(starts, index)
    line += text.slice(counted, start).split('\n').length - 1
    counted = start
    lines.push({ offset: markdown.length + 2, line })
    const body = text.slice(start, starts[index + 1]).trim()
    markdown += visible(`\n\n## ${name.replaceAll(/["`[\]]/g, '')}\n\n${fenced(body, language.fence)}`)
  }
  return { title: path, markdown, lines }
}

/** Returns the start of the comments directly above a definition. */
function withComments(text: string, at: number): number {
  let start = at
  while (start > 0) {
    let before = text.lastIndexOf('\n', start - 2) + 1
    // The line ends a multi-line description, so include all of it.
    if (text.slice(before, start).trim() === QUOTES) {
      const opening = text.lastIndexOf(QUOTES, before - 1)
      before = opening < 0 ? before : text.lastIndexOf('\n', opening) + 1
    }
    if (!/^[ \t]*(?:--|#|\/\/|\/\*|\*|""")/.test(text.slice(before, start))) break
    start = before
  }
  return start
}
