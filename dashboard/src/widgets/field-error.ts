/** A field of the request, by which the service begins its sentences about it. */
const FIELDS = ['domain', 'fontFamily', 'colors'] as const

/** What the service says about one field of a configuration: `must have …`. Null: it says nothing about this field. */
export function fieldError(error: Error | null, field: (typeof FIELDS)[number]): string | null {
  if (!error?.message.startsWith(`${field} `)) return null
  const text = error.message.slice(field.length + 1)
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** True if an error is about a field that the builder shows. */
export const isFieldError = (error: Error | null): boolean => FIELDS.some((field) => fieldError(error, field) !== null)
