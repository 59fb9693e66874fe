import { sealTokens } from '#auth/linked-tokens.ts'
import { DocentError } from '#errors.ts'
import { newId } from '#lib/ids.ts'
import { deleteLinkedAccount, insertLinkedAccount } from '#store/accounts/linked-accounts.ts'
import { lockAccount } from '#store/servers/servers.ts'
import { lookUpOwner, kindOfHost } from '#upstream/code-host.ts'
import type { HostTokens } from '#upstream/host-app.ts'
import { UpstreamError } from '#upstream/upstream-error.ts'
import type { OperationDeps } from '../operation.ts'
import { presentLinked } from './present.ts'

type Link = { accountId: string; host: string; via: 'token' | 'app'; tokens: HostTokens }

/**
 * Verifies a token by requesting its owner, and saves it in place of an earlier one. Throws `422 credential_rejected`.
 */
export async function saveLink(deps: OperationDeps, { accountId, host, via, tokens }: Link) {
  const { store } = deps
  const { kind, login } = await ownerOf(deps, host, tokens.token)
  const id = newId('lnk')
  const linkedAt = deps.clock()
  const account = { id, accountId, host, kind, via, login: login ?? '', linkedAt }
  const sealed = await sealTokens(deps, id, tokens)
  await store.transaction(async (tx) => {
    await lockAccount(tx, accountId)
    await deleteLinkedAccount(tx, accountId, host)
    await insertLinkedAccount(tx, { ...account, ...sealed })
  })
  return presentLinked(deps, host, account)
}

async function ownerOf({ net, config: { githubApiUrl } }: OperationDeps, host: string, token: string) {
  try {
    return await lookUpOwner({ net, githubApiUrl }, { host, kind: kindOfHost(host, githubApiUrl), token })
  } catch (error) {
    throw toRejection(error)
  }
}

/** Converts a code host's rejection of a token or code to the caller's error. Any other error is our own fault. */
export function toRejection(error: unknown): unknown {
  if (!(error instanceof UpstreamError)) return error
  return new DocentError('credential_rejected', {
    text: `${error.message} The token has not been saved.`,
    cause: error,
  })
}
