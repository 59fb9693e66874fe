import { RedactionSchema } from '@docent/contract/values/redaction'
import { z } from 'zod'

const { kinds, patterns } = RedactionSchema.shape

const splitAt = (separator: RegExp) => (text: unknown) =>
  String(text)
    .split(separator)
    .map((part) => part.trim())
    .filter(Boolean)

/** `email, card`: kinds with the limits of a server's own redaction. */
export const redactedKinds = z.preprocess(splitAt(/[\s,]+/), kinds.unwrap())

/** `ORD-*, project falcon`, or one pattern per line. The limits are those of a server's own redaction. */
export const redactedPatterns = z.preprocess(splitAt(/[,\n]/), patterns.unwrap())
