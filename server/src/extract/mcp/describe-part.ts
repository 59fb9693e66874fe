import { type PromptFacts, describePrompt } from './describe-prompt.ts'
import { type Contents, type ResourceFacts, contentsMarkdown, describeResource } from './describe-resource.ts'
import { type ServerFacts, type ServerOffers, describeServer } from './describe-server.ts'
import { type ToolFacts, describeTool } from './describe-tool.ts'

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
