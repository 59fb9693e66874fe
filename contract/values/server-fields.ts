import { z } from 'zod'
import { RedactionSchema } from './redaction.ts'
import { ServerStatusSchema, createdAt, selectedTools, serverId, slug, updatedAt, visibility } from '#fields.ts'
import { SourceSchema } from './sources.ts'

const SummaryFields = {
  id: serverId,
  slug,
  name: z.string().describe('Name of the server'),
  description: z.string().nullable().describe('Description of the server, for people'),
  visibility,
  status: z
    .enum([...ServerStatusSchema.options, 'deleted'])
    .describe('`crawling` while any work remains; `error` if no source could be indexed'),
  url: z.url().describe('Endpoint for AI clients'),
  sourceCount: z.number().int().describe('Number of sources'),
  toolCount: z.number().int().describe('Number of tools'),
  createdAt,
  updatedAt,
}

/** A server in the list of servers. */
export const ServerSummarySchema = z.object({
  ...SummaryFields,
  deletedAt: z.iso.datetime().optional().describe('Time of deletion; present for deleted servers'),
  purgeAt: z.iso.datetime().optional().describe('Time of final removal; present for deleted servers'),
})

export const RefreshSchema = z
  .enum(['off', 'hourly', 'daily', 'weekly'])
  .describe('How often the sources are indexed again')

export const StructuredOutputSchema = z
  .boolean()
  .describe(
    'Whether tools return `structuredContent` in addition to text, and list an `outputSchema`. Meant for programs: Claude Code and Codex show their model the data instead of the text',
  )

export const WebPagesSchema = z
  .enum(['off', 'unlisted', 'listed'])
  .describe(
    'Whether programs can read the pages as Markdown below the endpoint: `unlisted` if they know the address, `listed` if catalogues and search engines may name a public server',
  )

export const configSnippet = z
  .string()
  .describe('Client configuration to paste. For a private server, it has a placeholder for the token')

/** A server with its sources. */
export const ServerDetailSchema = z.object({
  ...SummaryFields,
  configSnippet,
  tools: selectedTools,
  refresh: RefreshSchema,
  structuredOutput: StructuredOutputSchema,
  redaction: RedactionSchema,
  webPages: WebPagesSchema,
  lastConnectedAt: z.iso
    .datetime()
    .nullable()
    .describe('When a client last began a session or asked for the tools; null: never'),
  sources: z.array(SourceSchema).describe('Sources of the server'),
})
