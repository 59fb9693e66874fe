import { LINK_MINUTES } from '@docent/contract/operations/linked-accounts'
import { createHash } from 'node:crypto'
import { hashSecret } from '#auth/secret.ts'
import { randomText } from '#lib/ids.ts'
import { insertLinkAttempt } from '#store/accounts/linked-accounts.ts'
import type { Handler } from '../operation.ts'
import { isoTime } from '../servers/present.ts'
import { openApp, redirectUriOf, verifierOf } from './link-attempt.ts'

/** 190 bits cannot be guessed, so a fast hash suffices. */
const STATE_LENGTH = 32

export const startLink: Handler<'linkedAccounts.start'> = async ({ deps, actor, codeHost: host }) => {
  const app = await openApp(deps, host)
  const { accountId, credential } = actor
  const state = randomText(STATE_LENGTH)
  const now = deps.clock()
  const expiresAt = now + LINK_MINUTES * 60_000
  await deps.store.transaction((tx) => {
    const attempt = { stateHash: hashSecret(state), accountId, credentialId: credential.id, host, expiresAt }
    return insertLinkAttempt(tx, attempt, now)
  })
  const challenge = createHash('sha256').update(verifierOf(credential.secret, state)).digest('base64url')
  const authorizeUrl = app.authorizeUrl({ redirectUri: redirectUriOf(deps, host), state, challenge })
  return { authorizeUrl, expiresAt: isoTime(expiresAt) }
}
