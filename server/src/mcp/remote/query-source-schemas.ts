import { z } from 'zod'
import { remoteCallOutput } from './call-remote.ts'
import { remoteListOutput } from './list-remote.ts'
import { searchOutput } from '#mcp/results/search-answer.ts'
import { cursorArgument, optionalQueryArgument, pageArgument, textArgument } from '#mcp/arguments/shared-arguments.ts'

/** Arguments of a search in one source. */
export const searchInput = z.object({
  source: textArgument(2_000, 'The source: its id, label or address'),
  query: optionalQueryArgument('What to look for in its indexed text. Required without "page"'),
  page: pageArgument,
  limit: z.int().min(1).max(20).default(5).describe('How many passages'),
  cursor: cursorArgument,
})

const { query, page, limit: limitArgument, cursor, ...common } = searchInput.shape
/** The same, with a call of a remote tool. */
export const liveInput = z.object({
  ...common,
  query: query.describe('What to look for in its indexed text'),
  page,
  tool: z
    .string()
    .max(1_000)
    .optional()
    .describe(
      'For a source that is an MCP server: the tool to call there now. Without query, page and tool its tools are listed',
    ),
  arguments: z
    .string()
    .max(50_000)
    .optional()
    .describe('Arguments of that tool as the text of a JSON object, such as {"city": "Oslo"}'),
  limit: limitArgument,
  cursor,
})

/** Structured content of a remote call, of a remote tool list, or of a search. */
export const liveOutput = z
  .object({
    ...searchOutput.shape,
    ...remoteListOutput.shape,
    ...remoteCallOutput.shape,
  })
  .partial()
