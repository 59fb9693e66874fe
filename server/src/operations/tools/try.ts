import { DocentError } from '#errors.ts'
import { findServedServer } from '#store/servers/served.ts'
import type { Handler } from '../operation.ts'

export const tryTool: Handler<'tools.try'> = async ({ deps, server, signal }, { tool, arguments: args }) => {
  const served = await findServedServer(deps.store.read, server.id)
  if (!served) throw new DocentError('server_not_found')
  return deps.tryTool(served, { tool, arguments: args }, signal)
}
