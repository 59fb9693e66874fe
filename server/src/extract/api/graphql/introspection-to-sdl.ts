import { buildClientSchema, type IntrospectionQuery, printSchema } from 'graphql'
import { type NoDescription, rejectDescription } from '../api-document.ts'
import type { Loose } from '../loose-json.ts'

/** Converts an introspection result to SDL. */
export function introspectionToSdl(schema: Loose): string | NoDescription {
  try {
    // The library validates its input.
    return printSchema(buildClientSchema({ __schema: schema } as unknown as IntrospectionQuery))
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return rejectDescription(
      'malformed',
      `The answer to the introspection is not valid: ${error.message.slice(0, 300)}`,
    )
  }
}
