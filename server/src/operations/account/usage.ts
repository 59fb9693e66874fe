import { readAllowance } from '#auth/allowance.ts'
import { planOf, sourceLimit } from '#auth/plans.ts'
import { monthOf } from '#lib/clock.ts'
import { countCustomTools } from '#store/servers/custom-tools.ts'
import { sourceUsage } from '#store/sources/sources.ts'
import type { Handler } from '../operation.ts'
import { isoTime } from '../servers/present.ts'

export const getUsage: Handler<'account.usage'> = async ({ deps, actor }) => {
  const { store, clock } = deps
  const now = clock()
  await deps.flushCalls()
  const plan = planOf(actor.plan)
  const servers = await sourceUsage(store.read, actor.accountId)
  const visible = servers.filter(({ serverId }) => !actor.serverIds || actor.serverIds.has(serverId))
  const tools = await countCustomTools(store.read, actor.accountId)
  const { limit, used, resetsAt } = await readAllowance(store, { ...actor, now })
  const { start, end } = monthOf(now)
  return {
    plan: actor.plan,
    period: { start: isoTime(start), end: isoTime(end) },
    servers: { used: visible.length, limit: plan.servers },
    sources: visible.map(({ serverId, sources, credits }) => {
      // The trial applies to the account's oldest server.
      const included = sourceLimit(actor, { isFirst: serverId === servers[0]?.serverId, now })
      return { serverId, used: sources, limit: included === null ? null : included + credits, paidCredits: credits }
    }),
    customTools: { used: tools, limit: plan.customTools },
    mcpRequests: {
      used,
      limit,
      remaining: limit === null ? null : Math.max(0, limit - used),
      resetsAt: isoTime(resetsAt),
    },
  }
}
