import { MAX_TOOLS, MIN_TOOLS } from '@docent/contract/values/tools'
import { CUSTOM_TOOL, RETENTION_DAYS, RETRIEVAL_RULE, SOURCE_SECRET_MAX } from '@docent/contract/limits'
import type { PlanName } from '@docent/contract/operations/purchases'
import type { Store } from '#store/db.ts'
import { findSourceRoom } from '#store/sources/sources.ts'
import plans from './plans.json' with { type: 'json' }

/** The limits of a plan. Null means no limit. */
export type Plan = {
  servers: number | null
  sourcesPerServer: number | null
  trialSourcesOnFirstServer: number | null
  /** Characters of indexed text per server. */
  sourceBytesPerServer: number | null
  customTools: number
  rulesPerServer: number
  /** `tools/call` requests per calendar month (UTC), across all servers of the account. */
  mcpRequestsPerMonth: number | null
  /** The request log and the analytics beyond the summary, after the trial as well. */
  coreAnalytics: boolean
}

/** The plans. Unlimited plans still cap what costs time on every request: search rules and custom tools. */
export const PLANS: Record<PlanName, Plan> = plans

/** The plan of this name. Unknown names get the smallest plan. */
export function planOf(name: string): Plan {
  return PLANS[name as PlanName] ?? PLANS.free
}

type Holder = { plan: string; trialEndsAt: number | null }

/** True during the account's trial. Plans that include the trial features have no trial. */
export function inTrial({ plan, trialEndsAt }: Holder, now: number): boolean {
  return !planOf(plan).coreAnalytics && trialEndsAt !== null && trialEndsAt > now
}

/** True if the account may see single requests and derived analytics. */
export function seesRequestLog(holder: Holder, now: number): boolean {
  return planOf(holder.plan).coreAnalytics || inTrial(holder, now)
}

/** Maximum number of sources on a server. Null means no limit. */
export function sourceLimit(holder: Holder, { isFirst, now }: { isFirst: boolean; now: number }): number | null {
  const plan = planOf(holder.plan)
  return (isFirst && inTrial(holder, now) && plan.trialSourcesOnFirstServer) || plan.sourcesPerServer
}

/** The plan page, which every limit error links to. */
export const planUrl = (baseUrl: string): string => `${baseUrl}/plan`

/** All limits of an account, under their wire names. */
export function limitsOf(name: string) {
  const { coreAnalytics: _, ...limits } = planOf(name)
  return {
    ...limits,
    minToolsPerServer: MIN_TOOLS,
    maxToolsPerServer: MAX_TOOLS,
    retentionDays: RETENTION_DAYS,
    customToolPromptMinLength: CUSTOM_TOOL.minPrompt,
    customToolPromptMaxLength: CUSTOM_TOOL.maxPrompt,
    customToolSources: CUSTOM_TOOL.maxSources,
    ruleMinLength: RETRIEVAL_RULE.minSentence,
    ruleMaxLength: RETRIEVAL_RULE.maxSentence,
    rulePriorityMin: RETRIEVAL_RULE.minPriority,
    rulePriorityMax: RETRIEVAL_RULE.maxPriority,
    credentialSecretMaxLength: SOURCE_SECRET_MAX,
  }
}

/** Remaining text limit of a source under the plan of its server, in bytes. Empty for a plan without a limit. */
export async function crawlLimitsOf({ read }: Pick<Store, 'read'>, source: { id: string; serverId: string }) {
  const room = await findSourceRoom(read, source)
  const limit = room ? planOf(room.plan).sourceBytesPerServer : null
  return room && limit !== null ? { textBytes: Math.max(0, limit - room.otherBytes) } : {}
}
