import { EMBED_LIMITS } from '@docent/contract/operations/embed'
import { saveFeedback } from '#store/calls/read-calls.ts'
import type { Handler } from '../operation.ts'
import { enforceRateLimit } from '#operations/enforce-rate-limit.ts'
import { findOpened } from './find-opened.ts'

/**
 * Only the visitor who got an answer knows the id of its call. The call itself is recorded later, so that nothing can be
 * checked against it here.
 */
export const saveEmbedFeedback: Handler<'embed.feedback'> = async (
  { deps, visitor },
  { session, call: callId, helpful },
) => {
  const { configuration, who } = await findOpened(deps, visitor, session)
  const key = `embed feedback:${configuration.id}`
  await enforceRateLimit(deps, { key: `${key} ${who}`, ...EMBED_LIMITS.feedbackOfVisitor })
  await enforceRateLimit(deps, { key, ...EMBED_LIMITS.feedbackOfConfiguration })
  const feedback = { callId, configurationId: configuration.id, helpful: Number(helpful), at: deps.clock() }
  await saveFeedback(deps.store.write, feedback)
  return { ok: true }
}
