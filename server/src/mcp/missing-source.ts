import { note } from './frame.ts'
import { indexingNotes } from './indexing-notes.ts'
import type { ToolResult } from './tool.ts'
import type { ToolContext } from './tool-context.ts'

/** What a tool lacks: the kinds of source that would feed it, and what to add, in a sentence. */
export type Missing = { what: string; needs: readonly string[]; add: string }

/** The answer of a tool that nothing on its server feeds: says so, and what to add. The call has not failed. */
export function missingSource(
  { server }: Pick<ToolContext, 'server'>,
  { what, needs, add }: Missing,
  structured: Record<string, unknown> = {},
): ToolResult {
  const busy = indexingNotes(server)
  const text = [note(`The sources of this server hold no ${what}. ${add}`), ...busy].join('\n')
  return {
    content: [{ type: 'text', text }],
    structuredContent: { ...structured, results: [], missing: { what, needs, add } },
    citations: [],
  }
}
