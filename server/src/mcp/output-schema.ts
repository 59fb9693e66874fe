import { z } from 'zod'

const notes = z.array(z.string()).describe('Remarks on the answer, as they stand below its text')

/**
 * The schema of a tool's structured content: that of its data, with its notes. An object at the top, as clients ask for,
 * and open, so that members can be added later.
 */
export function outputSchema(output: z.ZodObject): Record<string, unknown> {
  const { type, properties, required } = z.toJSONSchema(output.extend({ notes }), { io: 'input', override: dropBounds })
  return { type, properties, required }
}

/** Bounds of the numbers that JavaScript can count with say nothing. */
function dropBounds({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
}
