import { ensureDeveloper } from '#auth/developers.ts'
import { listConfigurationRows } from '#store/accounts/developers.ts'
import type { Handler } from '../operation.ts'
import { presentConfiguration } from './present.ts'

export const listConfigurations: Handler<'configurations.list'> = async ({ deps, actor }) => {
  const { id } = await ensureDeveloper(deps, actor.accountId)
  return (await listConfigurationRows(deps.store.read, id)).map(presentConfiguration)
}
