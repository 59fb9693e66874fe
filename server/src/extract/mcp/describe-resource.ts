import { mediaType } from '../media-type.ts'
import { joinParts } from '../api/api-document.ts'
import { embedText } from '../api/embed-text.ts'
import { writeFence } from '../api/write-table.ts'
import { oneLineOf } from './one-line-of.ts'

export type ResourceFacts = {
  /** URI or URI template. */
  uri: string
  name: string | null
  title: string | null
  description: string | null
}

export type Contents = { mimeType: string | null; text: string | null; blob: string | null }

/** Describes a resource: its textual contents and the server's description. */
export function describeResource(facts: ResourceFacts, server: string, contents: string[] = []): string {
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

const MARKDOWN = /^text\/(?:x-)?(?:markdown|mdx)$/
const PROSE = /^(?:text\/plain)?$/
const TEXT = /^text\/|[/+](?:json|xml|yaml|toml|javascript|typescript|sql|graphql|x-yaml|x-sh|x-toml|jsonl?|ndjson)$/

/**
 * Converts a resource's contents to Markdown: prose unchanged, data and code in a fence. Returns null for contents
 * without text. HTML counts as such, because MCP servers send user interfaces as HTML.
 */
export function contentsMarkdown(uri: string, { mimeType, text, blob }: Contents): string | null {
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
