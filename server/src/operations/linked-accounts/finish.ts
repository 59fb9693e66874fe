import { hashSecret } from '#auth/secret.ts'
import { DocentError } from '#errors.ts'
import { takeLinkAttempt } from '#store/accounts/linked-accounts.ts'
import type { HostApp } from '#upstream/host-app.ts'
import type { Handler } from '../operation.ts'
import { openApp, redirectUriOf, verifierOf } from './link-attempt.ts'
import { saveLink, toRejection } from './save-link.ts'

export const finishLink: Handler<'linkedAccounts.finish'> = async (call, { state, code, error }) => {
  const { deps, actor, codeHost: host } = call
  const app = await openApp(deps, host)
  const { accountId, credential } = actor
  const attempt = { stateHash: hashSecret(state), accountId, credentialId: credential.id, host, now: deps.clock() }
  if (!(await takeLinkAttempt(deps.store.write, attempt))) throw new DocentError('link_attempt_unknown')
  if (code === undefined) throw refusal(error)
  const request = { code, verifier: verifierOf(credential.secret, state), redirectUri: redirectUriOf(deps, host) }
  return saveLink(deps, { accountId, host, via: 'app', tokens: await exchange(app, request) })
}

async function exchange(app: HostApp, request: Parameters<HostApp['exchange']>[0]) {
  try {
    return await app.exchange(request)
  } catch (error) {
    throw toRejection(error)
  }
}

/** RFC 6749, section 4.1.2.1. Anyone can forge the description, so only the code is repeated. */
function refusal(error: string | undefined): DocentError {
  const why = error && /^[a-z_]{1,60}$/.test(error) ? ` (${error})` : ''
  return new DocentError('credential_rejected', {
    text: `The code host did not give access${why}. Nothing was linked.`,
  })
}
