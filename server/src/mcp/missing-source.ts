import { z } from 'zod'
import { indexingNotes } from './indexing-notes.ts'
import type { ToolAnswer } from './tool.ts'
import type { ToolContext } from './tool-context.ts'

/** What a tool lacks: the kinds of source that would feed it, and what to add, in a sentence. */
export type Missing = z.output<typeof missing>

const missing = z.object({ what: z.string(), needs: z.array(z.string()), add: z.string() })

/** `missing` in the data of tools that some servers have no source for. */
export const missingOutput = missing.optional().describe('What no source of this server holds, and what to add')

/** The answer of a tool that nothing on its server feeds: says so, and what to add. The call has not failed. */
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
