import { hashSecret, isWellFormed } from '#auth/secret.ts'
import { DocentError } from '#errors.ts'
import { findActiveConfiguration } from '#store/accounts/developers.ts'
import { findEmbedSession } from '#store/accounts/embed-sessions.ts'
import type { OperationDeps, Visitor } from '../operation.ts'
import { admitPage } from './admit-page.ts'

/**
 * The session of a widget, its configuration, and a key of the visitor for rate limits. An inactive configuration ends
 * its sessions. Throws for a page that may not use it.
 */
export async function findOpened({ store, clock }: OperationDeps, visitor: Visitor | undefined, session: string) {
  const isPlausible = isWellFormed('des_', session)
  const opened = isPlausible ? await findEmbedSession(store.read, hashSecret(session), clock()) : undefined
  const configuration = opened && (await findActiveConfiguration(store.read, opened.configurationId))
  if (!opened || !configuration) throw new DocentError('embed_session_ended')
  const { address } = admitPage(visitor, configuration)
  const who = opened.endUserId === null ? `from:${address}` : `by:${hashSecret(opened.endUserId)}`
  return { opened, configuration, who }
}
