/** Number and total bytes of passages read for one answer. More passages add little and cost time. */
export const EVIDENCE = { limit: 8, budget: 12_000 } as const

/** The same for a part of a question, which is quoted from one section. */
export const PART_EVIDENCE = { limit: 5, budget: 6_000 } as const

export type EvidenceSize = { limit: number; budget: number }
