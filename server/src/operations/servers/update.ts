import { DocentError } from '#errors.ts'
import { findServer, updateServerRow } from '#store/servers/servers.ts'
import type { Handler } from '../operation.ts'
import { presentDetail } from './get.ts'

export const updateServer: Handler<'servers.update'> = async (
  call,
  { name, description, refresh, structuredOutput, redaction },
) => {
  const { deps, actor, server } = call
  const values = {
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    ...(refresh === undefined ? {} : { refresh }),
    ...(structuredOutput === undefined ? {} : { structuredOutput: structuredOutput ? 1 : 0 }),
    ...(redaction === undefined ? {} : { redaction: JSON.stringify(redaction) }),
  }
  if (Object.keys(values).length === 0) throw new DocentError('nothing_to_update')
  await updateServerRow(deps.store.write, server.id, { ...values, updatedAt: deps.clock() })
  const changed = await findServer(deps.store.read, actor.accountId, server.id)
  if (!changed) throw new DocentError('server_not_found')
  return presentDetail(deps, changed)
}
