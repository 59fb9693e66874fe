import { z } from 'zod'

/** Kinds of secrets that are recognized by their form, with the mark that replaces them. */
export const REDACTED_KINDS = {
  email: 'email addresses',
  token: 'API keys, passwords and other long random texts',
  card: 'numbers of payment cards',
} as const

export type RedactedKind = keyof typeof REDACTED_KINDS

const KINDS = Object.keys(REDACTED_KINDS) as [RedactedKind, ...RedactedKind[]]

export const MAX_PATTERNS = 20
const MIN_LITERAL = 3
const MAX_PATTERN = 100

const literalOf = (pattern: string): string => pattern.replaceAll('*', '').trim()

export const RedactionSchema = z
  .object({
    kinds: z
      .array(z.enum(KINDS))
      .max(KINDS.length)
      .default([])
      .describe(
        `Recognized by their form: ${Object.entries(REDACTED_KINDS)
          .map(([kind, what]) => `\`${kind}\` (${what})`)
          .join(', ')}`,
      ),
    patterns: z
      .array(
        z
          .string()
          .trim()
          .max(MAX_PATTERN, `must have at most ${MAX_PATTERN} characters`)
          .refine(
            (pattern) => literalOf(pattern).length >= MIN_LITERAL,
            `must have at least ${MIN_LITERAL} characters besides \`*\``,
          ),
      )
      .max(MAX_PATTERNS)
      .default([])
      .describe('Texts to remove, in upper or lower case. `*` stands for any characters of a word, as in `ORD-*`'),
  })
  .describe('What is removed from arguments and errors before a call is stored. Calls stored before keep theirs')

export type Redaction = z.output<typeof RedactionSchema>

export const NO_REDACTION: Redaction = { kinds: [], patterns: [] }
