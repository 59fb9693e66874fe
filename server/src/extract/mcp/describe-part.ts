import { oneLineOf } from '#lib/text/one-line.ts'
import { fieldTable, writeExample, writeJsonSchema } from '../api/describe-schema.ts'
import { createReferences } from '../api/references.ts'
import { sampleValue } from '../api/sample-value.ts'
import { mediaType } from '../decode.ts'
import { cellText, embedText, fenced, joinParts, section, writeTable } from '../markdown/write-markdown.ts'

type ResourceFacts = {
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
  | { part: 'server'; facts: ServerFacts; offers: { tools: Listed[]; prompts: Listed[] } }
  | { part: 'tool'; facts: ToolFacts; server: string }
  | { part: 'prompt'; facts: PromptFacts; server: string }
  | { part: 'template'; facts: ResourceFacts; server: string }
  | { part: 'resource'; facts: ResourceFacts; server: string; contents: Contents[] }

/** Returns the Markdown of a part's document, or null for a resource without searchable text. */
export function describePart(given: RemotePart): string | null {
  if (given.part === 'server') return describeServer(given.facts, given.offers)
  if (given.part === 'tool') return describeTool(given.facts, given.server)
  if (given.part === 'prompt') return describePrompt(given.facts, given.server)
  const { facts, server } = given
  if (given.part === 'template') return describeResource(facts, server)
  const texts = given.contents.flatMap((part) => contentsMarkdown(facts.uri, part) ?? [])
  return texts.length > 0 || facts.description ? describeResource(facts, server, texts) : null
}

type Listed = { name: string; description: string | null }

type PromptFacts = Listed & {
  title: string | null
  arguments: (Listed & { required: boolean | null })[] | null
}

/** Upper bound for listed arguments. No user fills in more. */
const MAX_ARGUMENTS = 100

function describePrompt(prompt: PromptFacts, server: string): string {
  const rows = (prompt.arguments ?? [])
    .slice(0, MAX_ARGUMENTS)
    .map((one) => [`\`${oneLineOf(one.name)}\``, one.required === true ? 'yes' : '', cellText(one.description ?? '')])
  return joinParts([
    ...introduction('Prompt', prompt, server),
    section('Arguments', writeTable(['Argument', 'Required', 'Description'], rows)),
  ])
}

function introduction(kind: string, { name, title, description }: Listed & { title: string | null }, server: string) {
  const shown = oneLineOf(name)
  const called = title === null || title === name ? '' : `, called "${oneLineOf(title)}"`
  const place = `${kind} \`${shown}\` of the MCP server ${oneLineOf(server)}${called}.`
  return [`# ${shown}`, place, embedText(description ?? '', 1)]
}

type ServerFacts = { name: string; version: string | null; instructions: string | null }

function describeServer(
  { name, version, instructions }: ServerFacts,
  { tools, prompts }: { tools: Listed[]; prompts: Listed[] },
): string {
  const release = version === null || version === '' ? '' : `, version ${oneLineOf(version)}`
  return joinParts([
    `# ${oneLineOf(name)}`,
    `MCP server ${oneLineOf(name)}${release}.`,
    embedText(instructions ?? '', 1),
    section('Tools', tools.map(listed).join('\n')),
    section('Prompts', prompts.map(listed).join('\n')),
  ])
}

function listed({ name, description }: Listed): string {
  const words = cellText(description ?? '')
  return `- \`${oneLineOf(name)}\`${words && `: ${words}`}`
}

type ToolFacts = Listed & {
  title: string | null
  /** Unvalidated JSON Schemas. */
  inputSchema: Record<string, unknown>
  outputSchema: Record<string, unknown> | null
}

function describeTool(tool: ToolFacts, server: string): string {
  const { name, inputSchema, outputSchema } = tool
  const fields = (schema: Record<string, unknown>) => fieldTable(createReferences(schema), schema)
  const example = sampleValue(createReferences(inputSchema), inputSchema) ?? {}
  return joinParts([
    ...introduction('Tool', tool, server),
    section('Arguments', fields(inputSchema)) || 'It takes no arguments.',
    outputSchema === null ? '' : section('Result', fields(outputSchema)),
    section('Example call', writeExample({ name: oneLineOf(name), arguments: example })),
    section('JSON Schema of the arguments', writeJsonSchema(inputSchema)),
  ])
}

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

/** Keeps prose, and fences data and code. Null without text, and for HTML, the user interfaces of MCP servers. */
function contentsMarkdown(uri: string, { mimeType, text, blob }: Contents): string | null {
  const type = mediaType(mimeType)
  if (type === 'text/html' || (type !== '' && !TEXT.test(type))) return null
  const words = text ?? decoded(type, blob)
  if (words === null || words.trim() === '') return null
  const extension = /\.([a-z\d]{1,10})$/i.exec(uri)?.[1]?.toLowerCase() ?? ''
  const isProse = MARKDOWN.test(type) || (PROSE.test(type) && /^(?:|md|mdx|markdown|txt|text)$/.test(extension))
  return isProse ? words.trim() : fenced(words, extension || (type.split(/[/+]/).at(-1) ?? ''))
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
