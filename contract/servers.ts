import { z } from 'zod'

/** The kinds of source, as the contract spells them. */
export const SOURCE_TYPES = ['website', 'docs', 'repo', 'api', 'mcp', 'pdf'] as const
export const SourceTypeSchema = z.enum(SOURCE_TYPES)
export type SourceType = z.infer<typeof SourceTypeSchema>
