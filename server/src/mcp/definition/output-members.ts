import { z } from 'zod'

/** Common members of structured content. */

export const citedMembers = {
  title: z.string().describe('Title of the page'),
  heading: z.string().describe('Headings below the title, joined with " › "; empty at the top of a page'),
  url: z.string(),
  sourceId: z.string(),
}

export const rankedMembers = { rank: z.int().min(1).describe('Counts on from page to page'), ...citedMembers }

export const scoreMember = z.number().describe('Comparable within one answer only')

export const codeMember = z.object({ language: z.string().nullable(), text: z.string() })

export const nextCursorMember = z.string().optional().describe('Given as "cursor", it leads to the next page')

export const sourceMember = z.object({ id: z.string(), url: z.string(), label: z.string().nullable() })

/** Rounds a score to its significant decimals. */
export function roundScore(score: number): number {
  return Math.round(score * 1_000) / 1_000
}

/** A function or endpoint parameter, or a schema field, in structured content. */
export const parameterMember = z.object({
  name: z.string(),
  type: z.string().nullable(),
  required: z.boolean().nullable().describe('Null where the page does not say'),
  place: z.string().nullable().describe('Where it goes in a request, such as path or query'),
  description: z.string(),
})
