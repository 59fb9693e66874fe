import { deleteConfigurationRow } from '#store/accounts/developers.ts'
import type { Handler } from '../operation.ts'

export const deleteConfiguration: Handler<'configurations.delete'> = async ({ deps, ownConfiguration }) => {
  await deleteConfigurationRow(deps.store.write, ownConfiguration.id)
  return { ok: true }
}
