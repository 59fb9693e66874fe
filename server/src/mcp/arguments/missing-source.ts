import { z } from 'zod'
import { indexingNotes } from '#mcp/passages/indexing-notes.ts'
import type { ToolAnswer, ToolContext } from '#mcp/definition/tool.ts'

/** Missing source kinds of a tool, and a sentence on what to add. */
export type Missing = z.output<typeof missing>

const missing = z.object({ what: z.string(), needs: z.array(z.string()), add: z.string() })

/** The `missing` member, for tools without a suitable source on some servers. */
export const missingOutput = missing.optional().describe('What no source of this server holds, and what to add')

/** Answer of a tool without a suitable source on its server, with what to add. This is not a failed call. */
export function missingSource<D extends object>(
  { server }: Pick<ToolContext, 'server'>,
  { what, needs, add }: Missing,
  data: D,
): ToolAnswer<D & { results: []; missing: Missing }> {
  return {
    text: '',
    notes: [`The sources of this server hold no ${what}. ${add}`, ...indexingNotes(server)],
    data: { ...data, results: [], missing: { what, needs, add } },
  }
}
