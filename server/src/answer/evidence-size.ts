/** Number and total bytes of passages read for one answer. More passages add little and cost time. */
export const EVIDENCE = { limit: 8, budget: 12_000 } as const
