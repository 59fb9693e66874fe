import { DocentError } from '#errors.ts'
import { newId } from '#lib/ids.ts'
import { deleteLinkedAccount, insertLinkedAccount } from '#store/linked-accounts.ts'
import { lockAccount } from '#store/servers.ts'
import { lookUpUser } from '#upstream/github.ts'
import { UpstreamError } from '#upstream/upstream-error.ts'
import type { Handler, OperationDeps } from '../operation.ts'
import { presentLinked } from './present.ts'

export const linkAccount: Handler<'linkedAccounts.link'> = async ({ deps, actor, codeHost: host }, { token }) => {
  const { store, vault } = deps
  if (!(await vault.isAvailable(store.read))) throw new DocentError('credentials_unavailable')
  const login = await ownerOf(deps, token)
  const account = { id: newId('lnk'), accountId: actor.accountId, host, login, linkedAt: deps.clock() }
  await store.transaction(async (tx) => {
    await lockAccount(tx, actor.accountId)
    const sealed = await vault.seal(tx, token, { table: 'linkedAccounts', id: account.id })
    await deleteLinkedAccount(tx, actor.accountId, host)
    await insertLinkedAccount(tx, { ...account, sealed })
  })
  return presentLinked(host, account)
}

async function ownerOf({ net, config }: OperationDeps, token: string): Promise<string> {
  try {
    return (await lookUpUser({ net, apiUrl: config.githubApiUrl, token })).login
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    throw new DocentError('credential_rejected', {
      text: `${error.message} The token has not been saved.`,
      cause: error,
    })
  }
}
