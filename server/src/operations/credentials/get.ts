import { ensureDeveloper } from '#auth/developers.ts'
import type { Handler } from '../operation.ts'
import { presentCredentials } from './present.ts'

export const getCredentials: Handler<'credentials.get'> = async ({ deps, actor }) =>
  presentCredentials(deps, await ensureDeveloper(deps, actor.accountId))
