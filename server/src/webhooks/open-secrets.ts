import type { SecretOwner, Vault } from '#auth/vault.ts'
import { DocentError } from '#errors.ts'
import type { WebhookRow } from '#store/webhooks/webhooks.ts'

/**
 * The secrets that sign the events of a webhook at a time: its secret, then the one from before the last rotation while
 * that overlaps. Empty if the key of this instance that encrypts the secret is missing.
 */
export function openSecrets(vault: Vault, webhook: WebhookRow, now: number): string[] {
  const { id, sealedSecret, sealedPreviousSecret, previousSecretUntil } = webhook
  const secret = openSecret(vault, sealedSecret, { table: 'webhooks', id })
  if (secret === null) return []
  if (sealedPreviousSecret === null || (previousSecretUntil ?? 0) <= now) return [secret]
  const previous = openSecret(vault, sealedPreviousSecret, { table: 'webhookPreviousSecrets', id })
  return previous === null ? [secret] : [secret, previous]
}

/** Null if the key of this instance that encrypts the secret is missing. */
export function openSecret(vault: Vault, sealed: string, owner: SecretOwner): string | null {
  try {
    return vault.unseal(sealed, owner)
  } catch (error) {
    if (error instanceof DocentError && error.code === 'credentials_unavailable') return null
    throw error
  }
}
