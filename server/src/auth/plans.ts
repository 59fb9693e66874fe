import { MAX_TOOLS, MIN_TOOLS } from '@docent/contract/tools'
import { CUSTOM_TOOL, RETENTION_DAYS, RETRIEVAL_RULE, SOURCE_SECRET_MAX } from '@docent/contract/limits'
import type { PlanName } from './accounts.ts'

/** What a plan includes; null: without limit. */
export type Plan = {
  servers: number | null
  sourcesPerServer: number | null
  /** On the account's first server, while its trial lasts. */
  trialSourcesOnFirstServer: number | null
  /** Characters of indexed text on one server. */
  sourceBytesPerServer: number | null
  customTools: number
  rulesPerServer: number
  /** `tools/call` of all the account's servers together, in a calendar month (UTC). */
  mcpRequestsPerMonth: number | null
  /** The request log and the analytics beyond the summary, also outside the trial. */
  coreAnalytics: boolean
}

const MEGABYTE = 1_000_000

/**
 * The plans. Those without limits have ceilings on what costs at every request: rules are applied to each search, and
 * custom tools are listed as a whole.
 */
export const PLANS: Record<PlanName, Plan> = {
  free: {
    servers: 3,
    sourcesPerServer: 2,
    trialSourcesOnFirstServer: 5,
    sourceBytesPerServer: 200 * MEGABYTE,
    customTools: 5,
    rulesPerServer: 10,
    mcpRequestsPerMonth: 50,
    coreAnalytics: false,
  },
  core: {
    servers: 20,
    sourcesPerServer: 10,
    trialSourcesOnFirstServer: null,
    sourceBytesPerServer: 2_000 * MEGABYTE,
    customTools: 25,
    rulesPerServer: 25,
    mcpRequestsPerMonth: 50_000,
    coreAnalytics: true,
  },
  unlimited: {
    servers: null,
    sourcesPerServer: null,
    trialSourcesOnFirstServer: null,
    sourceBytesPerServer: null,
    customTools: 1_000,
    rulesPerServer: 100,
    mcpRequestsPerMonth: null,
    coreAnalytics: true,
  },
}

/** The plan of this name; an unknown one is held to the smallest. */
export function planOf(name: string): Plan {
  return PLANS[name as PlanName] ?? PLANS.free
}

type Holder = { plan: string; trialEndsAt: number | null }

/** Whether the account's trial goes on. Plans that include what it unlocks have none. */
export function inTrial({ plan, trialEndsAt }: Holder, now: number): boolean {
  return !planOf(plan).coreAnalytics && trialEndsAt !== null && trialEndsAt > now
}

/** Whether the account may see single requests and what is made from them. */
export function seesRequestLog(holder: Holder, now: number): boolean {
  return planOf(holder.plan).coreAnalytics || inTrial(holder, now)
}

/** How many sources a server may have; null: without limit. */
export function sourceLimit(holder: Holder, { isFirst, now }: { isFirst: boolean; now: number }): number | null {
  const plan = planOf(holder.plan)
  return (isFirst && inTrial(holder, now) && plan.trialSourcesOnFirstServer) || plan.sourcesPerServer
}

/** The page that says what the plans include, where limits lead to. */
export const planUrl = (baseUrl: string): string => `${baseUrl}/plan`

/** Every limit that an account is held to, under the names in which it is told. */
export function limitsOf(name: string) {
  const plan = planOf(name)
  return {
    servers: plan.servers,
    sourcesPerServer: plan.sourcesPerServer,
    trialSourcesOnFirstServer: plan.trialSourcesOnFirstServer,
    sourceBytesPerServer: plan.sourceBytesPerServer,
    minToolsPerServer: MIN_TOOLS,
    maxToolsPerServer: MAX_TOOLS,
    customTools: plan.customTools,
    rulesPerServer: plan.rulesPerServer,
    mcpRequestsPerMonth: plan.mcpRequestsPerMonth,
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
