/** Passages read for one answer, and their bytes: more finds little further and costs time. */
export const EVIDENCE = { limit: 8, budget: 12_000 } as const
