import { z } from 'zod'

/** A function or endpoint parameter, or a schema field, in structured content. */
export const parameterMember = z.object({
  name: z.string(),
  type: z.string().nullable(),
  required: z.boolean().nullable().describe('Null where the page does not say'),
  place: z.string().nullable().describe('Where it goes in a request, such as path or query'),
  description: z.string(),
})
