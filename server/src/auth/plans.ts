import type { PlanName } from './accounts.ts'

/** What a plan includes; null: without limit. */
export type Plan = {
  servers: number | null
  sourcesPerServer: number | null
  /** On the account's first server, while its trial lasts. */
  trialSourcesOnFirstServer: number | null
}

const PLANS: Record<PlanName, Plan> = {
  free: { servers: 3, sourcesPerServer: 2, trialSourcesOnFirstServer: 5 },
  core: { servers: 20, sourcesPerServer: 10, trialSourcesOnFirstServer: null },
  unlimited: { servers: null, sourcesPerServer: null, trialSourcesOnFirstServer: null },
}

/** The plan of this name; an unknown one is held to the smallest. */
export function planOf(name: string): Plan {
  return PLANS[name as PlanName] ?? PLANS.free
}
