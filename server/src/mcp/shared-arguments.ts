import { z } from 'zod'

/** Arguments that mean the same in every tool that takes them. */

export const sourceArgument = z.string().max(2_000).optional().describe('Only this source: its id, label or address')

export const cursorArgument = z
  .string()
  .max(200)
  .optional()
  .describe('nextCursor of the previous answer, to go on from there')
