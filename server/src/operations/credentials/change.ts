import { ensureDeveloper, regenerateSecret } from '#auth/developers.ts'
import type { Handler } from '../operation.ts'
import { presentCredentials } from './present.ts'

export const changeCredentials: Handler<'credentials.change'> = async ({ deps, actor }) => {
  const developer = await ensureDeveloper(deps, actor.accountId)
  return presentCredentials(deps, await regenerateSecret(deps, developer))
}
