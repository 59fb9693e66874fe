/** A regular expression that may take more than linear time, and the reason why it is harmless. */
export type AllowedRegex = { file: string; source: string; reason: string }

export const ALLOWED: readonly AllowedRegex[] = []
