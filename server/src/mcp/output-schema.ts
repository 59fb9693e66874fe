import { z } from 'zod'

const notes = z.array(z.string()).describe('Remarks on the answer, as they stand below its text')

/**
 * Schema of a tool's structured content: its data and notes. The top level is an object, as clients require, and open
 * for later members.
 */
export function outputSchema(output: z.ZodObject): Record<string, unknown> {
  const { type, properties, required } = z.toJSONSchema(output.extend({ notes }), { io: 'input', override: dropBounds })
  return { type, properties, required }
}

/** Removes bounds that merely state JavaScript's number range. */
function dropBounds({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
}
