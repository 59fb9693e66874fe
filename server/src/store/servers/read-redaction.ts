import { NO_REDACTION, RedactionSchema, type Redaction } from '@docent/contract/values/redaction'

/** Reads the redaction of a server's row. A row of an earlier version has none. */
export function readRedaction(stored: string): Redaction {
  const value: unknown = JSON.parse(stored)
  return Array.isArray(value) ? NO_REDACTION : RedactionSchema.parse(value)
}
