import { MAX_TOKENS } from '@docent/contract/operations/access-tokens'
import { DocentError } from '#errors.ts'
import { listAccessTokenRows } from '#store/accounts/keys.ts'
import { lockServer } from '#store/servers/servers.ts'
import type { Handler } from '../operation.ts'
import { presentToken } from './list.ts'
import { mintToken } from './mint.ts'

export const createAccessToken: Handler<'accessTokens.create'> = async ({ deps, server, remember }, { name }) =>
  deps.store.transaction(async (tx) => {
    if (!(await lockServer(tx, server.id))) throw new DocentError('server_not_found')
    const live = await listAccessTokenRows(tx, server.id)
    if (live.length >= MAX_TOKENS) throw new DocentError('token_limit', { fields: { limit: MAX_TOKENS } })
    const token = await mintToken(tx, { serverId: server.id, name, now: deps.clock() })
    const answer = { ...presentToken({ ...token, lastUsedAt: null }), plaintext: token.plaintext }
    await remember(tx, answer)
    return answer
  })
