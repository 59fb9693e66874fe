import { oneLineOf } from '#lib/text/one-line.ts'
import { joinParts, cellText, embedText } from '../api/api-document.ts'
import { writeTable, writeFence, fieldTable, writeExample, writeJsonSchema } from '../api/describe-schema.ts'
import { createReferences } from '../api/references.ts'
import { sampleValue } from '../api/sample-value.ts'
import { mediaType } from '../decode.ts'

type ResourceFacts = {
  /** URI or URI template. */
  uri: string
  name: string | null
  title: string | null
  description: string | null
}

type Contents = { mimeType: string | null; text: string | null; blob: string | null }

const MARKDOWN = /^text\/(?:x-)?(?:markdown|mdx)$/
const PROSE = /^(?:text\/plain)?$/
const TEXT = /^text\/|[/+](?:json|xml|yaml|toml|javascript|typescript|sql|graphql|x-yaml|x-sh|x-toml|jsonl?|ndjson)$/

/** A part of a remote MCP server in the server's own description. */
export type RemotePart =
  | { part: 'server'; facts: ServerFacts; offers: ServerOffers }
  | { part: 'tool'; facts: ToolFacts; server: string }
  | { part: 'prompt'; facts: PromptFacts; server: string }
  | { part: 'template'; facts: ResourceFacts; server: string }
  | { part: 'resource'; facts: ResourceFacts; server: string; contents: Contents[] }

/** Returns the Markdown of a part's document, or null for a resource without searchable text. */
export function describePart(given: RemotePart): string | null {
  switch (given.part) {
    case 'server':
      return describeServer(given.facts, given.offers)
    case 'tool':
      return describeTool(given.facts, given.server)
    case 'prompt':
      return describePrompt(given.facts, given.server)
    case 'template':
      return describeResource(given.facts, given.server)
    default:
      return describeContents(given)
  }
}

function describeContents({ facts, server, contents }: Extract<RemotePart, { part: 'resource' }>): string | null {
  const texts = contents.flatMap((part) => contentsMarkdown(facts.uri, part) ?? [])
  return texts.length > 0 || facts.description ? describeResource(facts, server, texts) : null
}

type PromptFacts = {
  name: string
  title: string | null
  description: string | null
  arguments: { name: string; description: string | null; required: boolean | null }[] | null
}

/** Upper bound for listed arguments. No user fills in more. */
const MAX_ARGUMENTS = 100

/** Describes a prompt of a remote MCP server: its purpose and arguments, not the prompt text. */
function describePrompt(prompt: PromptFacts, server: string): string {
  const { title, description, arguments: args } = prompt
  const name = oneLineOf(prompt.name)
  const called = title === null || title === prompt.name ? '' : `, called "${oneLineOf(title)}"`
  const rows = (args ?? [])
    .slice(0, MAX_ARGUMENTS)
    .map((one) => [`\`${oneLineOf(one.name)}\``, one.required === true ? 'yes' : '', cellText(one.description ?? '')])
  const table = writeTable(['Argument', 'Required', 'Description'], rows)
  return joinParts([
    `# ${name}`,
    `Prompt \`${name}\` of the MCP server ${oneLineOf(server)}${called}.`,
    embedText(description ?? '', 1),
    table === '' ? '' : joinParts(['## Arguments', table]),
  ])
}

type ServerFacts = { name: string; version: string | null; instructions: string | null }

type Listed = { name: string; description: string | null }

type ServerOffers = { tools: Listed[]; prompts: Listed[] }

/** Describes a remote MCP server: its instructions and the names of its tools and prompts. */
function describeServer({ name, version, instructions }: ServerFacts, offers: ServerOffers): string {
  const release = version === null || version === '' ? '' : `, version ${oneLineOf(version)}`
  return joinParts([
    `# ${oneLineOf(name)}`,
    `MCP server ${oneLineOf(name)}${release}.`,
    embedText(instructions ?? '', 1),
    list('Tools', offers.tools),
    list('Prompts', offers.prompts),
  ])
}

function list(heading: string, listed: Listed[]): string {
  if (listed.length === 0) return ''
  const lines = listed.map(({ name, description }) => {
    const words = cellText(description ?? '')
    return `- \`${oneLineOf(name)}\`${words === '' ? '' : `: ${words}`}`
  })
  return joinParts([`## ${heading}`, lines.join('\n')])
}

type ToolFacts = {
  name: string
  title: string | null
  description: string | null
  /** Unvalidated JSON Schemas. */
  inputSchema: Record<string, unknown>
  outputSchema: Record<string, unknown> | null
}

/** Describes a tool of a remote MCP server: its description, with arguments and results as tables. */
function describeTool({ name, title, description, inputSchema, outputSchema }: ToolFacts, server: string): string {
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

/** Describes a resource: its textual contents and the server's description. */
function describeResource(facts: ResourceFacts, server: string, contents: string[] = []): string {
  const { uri, name, title, description } = facts
  const introduction = [
    `Resource \`${oneLineOf(uri)}\` of the MCP server ${oneLineOf(server)}.`,
    embedText(description ?? '', 1),
  ]
  // Keep the title of contents that have one.
  const hasTitle = /^\s*# /.test(contents[0] ?? '')
  const heading = `# ${oneLineOf(title ?? name ?? uri)}`
  return joinParts(hasTitle ? [...contents, ...introduction] : [heading, ...introduction, ...contents])
}

/**
 * Converts a resource's contents to Markdown: prose unchanged, data and code in a fence. Returns null for contents
 * without text. HTML counts as such, because MCP servers send user interfaces as HTML.
 */
function contentsMarkdown(uri: string, { mimeType, text, blob }: Contents): string | null {
  const type = mediaType(mimeType)
  if (type === 'text/html' || (type !== '' && !TEXT.test(type))) return null
  const words = text ?? decoded(type, blob)
  if (words === null || words.trim() === '') return null
  const extension = /\.([a-z\d]{1,10})$/i.exec(uri)?.[1]?.toLowerCase() ?? ''
  const isProse = MARKDOWN.test(type) || (PROSE.test(type) && /^(?:|md|mdx|markdown|txt|text)$/.test(extension))
  return isProse ? words.trim() : writeFence(extension || (type.split(/[/+]/).at(-1) ?? ''), words)
}

/** Decodes bytes only if the server declares a type. */
function decoded(type: string, blob: string | null): string | null {
  if (type === '' || blob === null) return null
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(blob, 'base64'))
  } catch {
    // The encoding is not UTF-8, or the bytes are not text.
    return null
  }
}
