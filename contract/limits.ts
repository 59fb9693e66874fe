/** Limits that are the same on every plan, in one place for those who check them and those who tell them. */

/** Characters of the sentence that a custom tool is built from, and sources read for it. */
export const CUSTOM_TOOL = { minPrompt: 20, maxPrompt: 1_000, maxSources: 8 } as const

/** Characters of a rule's sentence, and the range that its priority is clamped to. */
export const RETRIEVAL_RULE = { minSentence: 20, maxSentence: 600, minPriority: -100, maxPriority: 100 } as const

/** Characters of the credential of a remote MCP source. */
export const SOURCE_SECRET_MAX = 4_096

/** Bytes of one upload, as it is sent. Larger manuals are mostly pictures. */
export const MAX_UPLOAD_BYTES = 64 << 20

/** Days for which a deleted server can be restored. */
export const RETENTION_DAYS = 7
