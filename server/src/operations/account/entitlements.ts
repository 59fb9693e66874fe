import { inTrial, limitsOf, seesRequestLog } from '#auth/plans.ts'
import type { Handler } from '../operation.ts'
import { isoTime } from '../servers/present.ts'

export const getEntitlements: Handler<'account.entitlements'> = async ({ deps, actor }) => {
  const { plan, trialEndsAt, serverIds } = actor
  const now = deps.clock()
  const seesLog = seesRequestLog(actor, now)
  return {
    plan,
    trial: { active: inTrial(actor, now), endsAt: trialEndsAt === null ? null : isoTime(trialEndsAt) },
    key: { scope: serverIds ? 'servers' : 'account', serverIds: serverIds && [...serverIds] },
    limits: limitsOf(plan),
    features: { requestLog: seesLog, analytics: seesLog, ...deps.features },
  }
}
