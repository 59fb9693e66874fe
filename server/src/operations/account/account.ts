import { RATE_LIMITS } from '@docent/contract/operations'
import { type CallerLimits, CallerLimitsSchema, NO_CALLER_LIMITS } from '@docent/contract/values/caller-limits'
import { hashNewPassword } from '#auth/accounts.ts'
import { readAllowance } from '#auth/allowance.ts'
import type { Actor } from '#auth/authenticate.ts'
import { anonymousShare } from '#auth/caller-limits.ts'
import { inTrial, limitsOf, planOf, seesRequestLog, sourceLimit } from '#auth/plans.ts'
import { found } from '#errors.ts'
import { isoTime, isoTimeOrNull, monthOf } from '#lib/clock.ts'
import { findAccount, setCallerLimits } from '#store/accounts/accounts.ts'
import { deleteOtherSessions, revokeKeysOf } from '#store/accounts/keys.ts'
import { updatePerson } from '#store/accounts/people.ts'
import { readAnonymousCalls } from '#store/accounts/usage.ts'
import type { Db } from '#store/db.ts'
import { countCustomTools } from '#store/servers/custom-tools.ts'
import { sourceUsage } from '#store/sources/sources.ts'
import { sessionHolder } from '../find-resource.ts'
import type { HandlersOf, OperationDeps } from '../operation.ts'
import { signedInAs, verifySignIn } from './sessions.ts'

const RATES = RATE_LIMITS.map(({ of, limit, windowMs }) => ({ of, limit, windowSeconds: windowMs / 1000 }))

export const accountHandlers: HandlersOf<'account'> = {
  'account.usage': async ({ deps, actor }) => {
    const { store, clock } = deps
    const now = clock()
    await deps.flushCalls()
    const plan = planOf(actor.plan)
    const servers = await sourceUsage(store.read, actor.accountId)
    const visible = servers.filter(({ serverId }) => !actor.serverIds || actor.serverIds.has(serverId))
    const tools = await countCustomTools(store.read, actor.accountId)
    const { limit, used, resetsAt } = await readAllowance(store, { ...actor, now })
    const { start, end } = monthOf(now)
    const remaining = limit === null ? null : Math.max(0, limit - used)
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
      mcpRequests: { used, limit, remaining, resetsAt: isoTime(resetsAt) },
    }
  },

  'account.entitlements': async ({ deps, actor }) => {
    const { plan, trialEndsAt, serverIds } = actor
    const now = deps.clock()
    const seesLog = seesRequestLog(actor, now)
    return {
      plan,
      trial: { active: inTrial(actor, now), endsAt: isoTimeOrNull(trialEndsAt) },
      key: { scope: serverIds ? 'servers' : 'account', serverIds: serverIds && [...serverIds] },
      limits: limitsOf(plan),
      rateLimits: deps.config.rateLimits ? RATES : null,
      features: { requestLog: seesLog, analytics: seesLog, ...deps.features },
    }
  },

  'account.callerLimits': async ({ deps, actor }) => presentCallerLimits(deps, actor),

  'account.changeCallerLimits': async ({ deps, actor }, changes) => {
    const { accountId } = actor
    await deps.store.transaction(async (tx) => {
      const limits = { ...(await readCallerLimits(tx, accountId)), ...changes }
      await setCallerLimits(tx, accountId, Object.values(limits).some(Boolean) ? JSON.stringify(limits) : null)
    })
    return presentCallerLimits(deps, actor)
  },

  'account.changePassword': async ({ deps, actor, visitor, signal }, { current, password, revokeKeys = false }) => {
    const { email } = await signedInAs(deps.store.read, actor)
    // Calls by programs have no network address here. They share one limit.
    const network = visitor?.address ?? 'program'
    const person = found(await verifySignIn(deps, { email, password: current }, { network, signal }), 'password_wrong')
    const passwordHash = await hashNewPassword(password)
    const { accountId, personId, credential } = actor
    return deps.store.transaction(async (tx) => {
      await updatePerson(tx, person.id, { passwordHash })
      const kept = credential.kind === 'session' ? credential.id : null
      const endedSessions = await deleteOtherSessions(tx, sessionHolder(actor), kept)
      const revokes = revokeKeys && personId !== null
      const revokedKeys = revokes ? await revokeKeysOf(tx, accountId, personId, deps.clock()) : 0
      return { ok: true as const, endedSessions, revokedKeys }
    })
  },
}

async function readCallerLimits(db: Db, accountId: string): Promise<CallerLimits> {
  const stored = (await findAccount(db, accountId))?.callerLimits
  return stored ? CallerLimitsSchema.parse(JSON.parse(stored)) : NO_CALLER_LIMITS
}

async function presentCallerLimits({ store, clock }: OperationDeps, { accountId, plan }: Actor) {
  const now = clock()
  const limits = await readCallerLimits(store.write, accountId)
  const used = await readAnonymousCalls(store.read, accountId, { month: monthOf(now).name, now })
  const allowance = planOf(plan).mcpRequestsPerMonth
  const { anonymousPerDay } = limits
  return {
    ...limits,
    anonymousThisMonth: allowance === null ? null : { used: used.month, limit: anonymousShare(allowance, limits) },
    anonymousToday: anonymousPerDay === 0 ? null : { used: used.today, limit: anonymousPerDay },
  }
}
