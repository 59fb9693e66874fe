/** Limits common to all plans, for validation and documentation. */

/** Characters of a custom tool's prompt, and number of its sources. */
export const CUSTOM_TOOL = {
  minPrompt: 20,
  maxPrompt: 1_000,
  maxSources: 8,
  maxDisplayName: 80,
  maxDescription: 1_000,
} as const

/** Characters of a rule's sentence, and the range to which its priority is clamped. */
export const RETRIEVAL_RULE = { minSentence: 20, maxSentence: 600, minPriority: -100, maxPriority: 100 } as const

/** Pins of a server, and the questions of a pin with the characters of each. */
export const PINS = { perServer: 200, questions: 20, maxQuestion: 1_000 } as const

/** Maximum characters of a remote MCP source's credential. */
export const SOURCE_SECRET_MAX = 4_096

/** Bytes of one upload as sent. Larger manuals are mostly pictures. */
export const MAX_UPLOAD_BYTES = 64 << 20

/** Days for which a deleted server can be restored. */
export const RETENTION_DAYS = 7

/** Pages of sources per answer of their list. */
export const PAGES_PER_ANSWER = 50

/** Entries per page of the audit log. */
export const AUDIT_PAGE_SIZE = 50
