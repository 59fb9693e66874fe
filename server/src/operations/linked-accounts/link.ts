import { DocentError } from '#errors.ts'
import type { Handler } from '../operation.ts'
import { saveLink } from './save-link.ts'

export const linkAccount: Handler<'linkedAccounts.link'> = async ({ deps, actor, codeHost: host }, { token }) => {
  if (!(await deps.vault.isAvailable(deps.store.read))) throw new DocentError('credentials_unavailable')
  const tokens = { token, refreshToken: null, lifetimeMs: null }
  return saveLink(deps, { accountId: actor.accountId, host, via: 'token', tokens })
}
