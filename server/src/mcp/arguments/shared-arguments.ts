import { z } from 'zod'

/** Common arguments of several tools. */

/** Text without white space around it, of at most `most` characters. */
export const textArgument = (most: number, meaning: string) => z.string().trim().min(1).max(most).describe(meaning)
export const optionalTextArgument = (most: number, meaning: string) =>
  z.string().trim().max(most).optional().describe(meaning)

/** What to search for. May be left out where something else can be asked for. */
export const optionalQueryArgument = (meaning: string) =>
  z.string().trim().min(1).max(4_000).optional().describe(meaning)

export const sourceArgument = z.string().max(2_000).optional().describe('Only this source: its id, label or address')

export const cursorArgument = z
  .string()
  .max(200)
  .optional()
  .describe('nextCursor of the previous answer, to go on from there')

export const pageArgument = z
  .string()
  .trim()
  .max(2_000)
  .optional()
  .describe(
    'Instead of a search, read this page: its address as cited. With a fragment, reading begins at that section. "query" and "limit" are then not used',
  )
