import { EMBED_LIMITS, EMBED_SESSION_MS } from '@docent/contract/operations/embed'
import { redeemAttributionToken } from '#auth/attribution-token.ts'
import { newSecret } from '#auth/secret.ts'
import { DocentError } from '#errors.ts'
import { insertEmbedSession } from '#store/accounts/embed-sessions.ts'
import type { Handler } from '../operation.ts'
import { isoTime } from '../servers/present.ts'
import { enforceRateLimit } from '#operations/enforce-rate-limit.ts'
import { admitPage } from './admit-page.ts'

export const openEmbedSession: Handler<'embed.openSession'> = async (
  { deps, visitor, configuration },
  { attributionToken },
) => {
  const { address } = admitPage(visitor, configuration)
  const { id: configurationId, developerId } = configuration
  const key = `embed session:${configurationId}`
  await enforceRateLimit(deps, { key: `${key} from:${address}`, ...EMBED_LIMITS.sessionsOfVisitor })
  await enforceRateLimit(deps, { key, ...EMBED_LIMITS.sessionsOfConfiguration })
  const isAttributed = typeof attributionToken === 'string'
  const used = isAttributed ? await redeemAttributionToken(deps, developerId, attributionToken) : null
  if (isAttributed && !used) throw new DocentError('attribution_token_invalid')
  const { plaintext, hash } = newSecret('des_')
  const createdAt = deps.clock()
  const expiresAt = createdAt + EMBED_SESSION_MS
  const owner = { attributionId: used?.id ?? null, endUserId: used?.endUserId ?? null }
  await insertEmbedSession(deps.store.write, { hash, configurationId, ...owner, createdAt, expiresAt })
  return { session: plaintext, expiresAt: isoTime(expiresAt), attributed: isAttributed }
}
