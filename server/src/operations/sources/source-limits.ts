import { planOf, planUrl, sourceLimit } from '#auth/plans.ts'
import type { Actor } from '#auth/authenticate.ts'
import { DocentError } from '#errors.ts'
import type { Db } from '#store/db.ts'
import { firstServerId } from '#store/servers/servers.ts'
import { sourceCredits } from '#store/accounts/purchases.ts'
import type { SourceRow } from '#store/sources/sources.ts'

type Asked = { actor: Actor; serverId: string; sources: readonly SourceRow[]; now: number; baseUrl: string }

/**
 * Throws a 402 if the server may not have another source: the plan's sources are used up (`source_limit_reached`), the
 * purchased ones as well (`source_credit_required`), or its text has reached the plan's limit
 * (`source_size_limit_reached`).
 */
export async function refuseFurtherSource(db: Db, { actor, serverId, sources, now, baseUrl }: Asked): Promise<void> {
  const isFirst = (await firstServerId(db, actor.accountId)) === serverId
  const included = sourceLimit(actor, { isFirst, now })
  const paidCredits = await sourceCredits(db, serverId)
  const upgradeUrl = planUrl(baseUrl)
  const shared = {
    paidCredits,
    canUpgrade: planOf(actor.plan).sourcesPerServer !== null,
    purchaseUrl: `${upgradeUrl}?buy=source&server=${serverId}`,
    upgradeUrl,
  }
  if (included !== null && sources.length >= included + paidCredits) {
    const code = paidCredits > 0 ? 'source_credit_required' : 'source_limit_reached'
    throw new DocentError(code, { fields: { limit: included + paidCredits, used: sources.length, ...shared } })
  }
  const limit = planOf(actor.plan).sourceBytesPerServer
  const used = sources.reduce((total, { textBytes }) => total + textBytes, 0)
  if (limit !== null && used >= limit) {
    throw new DocentError('source_size_limit_reached', { fields: { limit, used, ...shared } })
  }
}
