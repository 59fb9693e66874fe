/** A regular expression that may take more than linear time, and why that harms nobody. */
export type AllowedRegex = { file: string; source: string; reason: string }

export const ALLOWED: readonly AllowedRegex[] = []
