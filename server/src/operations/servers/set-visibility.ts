import { MAX_TOKENS } from '@docent/contract/operations/access-tokens'
import { DocentError } from '#errors.ts'
import { countPrivateSources } from '#store/accounts/secrets.ts'
import { lockServer, updateServerRow } from '#store/servers/servers.ts'
import type { Handler } from '../operation.ts'
import { becomePrivate, presentIssued } from '../sources/become-private.ts'

export const setVisibility: Handler<'servers.setVisibility'> = async ({ deps, server }, { visibility }) =>
  deps.store.transaction(async (tx) => {
    const current = await lockServer(tx, server.id)
    if (!current) throw new DocentError('server_not_found')
    const answer = { ok: true as const, visibility, maxTokens: MAX_TOKENS, issuedToken: null }
    if (current.visibility === visibility) return { ...answer, unchanged: true as const }
    const now = deps.clock()
    if (visibility === 'private') {
      return { ...answer, issuedToken: presentIssued(await becomePrivate(tx, current, now)) }
    }
    if ((await countPrivateSources(tx, server.id)) > 0) throw new DocentError('private_source_present')
    await updateServerRow(tx, server.id, { visibility, updatedAt: now })
    return answer
  })
