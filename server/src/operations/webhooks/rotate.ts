import { DocentError } from '#errors.ts'
import { lockAccount } from '#store/servers/servers.ts'
import { countWaiting } from '#store/webhooks/deliveries.ts'
import { findWebhookById, updateWebhookRow } from '#store/webhooks/webhooks.ts'
import { openSecret } from '#webhooks/open-secrets.ts'
import { newWebhookSecret } from '#webhooks/sign.ts'
import type { Handler } from '../operation.ts'
import { presentWebhook } from './present.ts'

const HOUR_MS = 60 * 60 * 1000

export const rotateWebhook: Handler<'webhooks.rotate'> = async ({ deps, webhook, remember }, { overlapHours }) => {
  const { store, vault } = deps
  const { id } = webhook
  const now = deps.clock()
  const secret = newWebhookSecret()
  const sealedSecret = await vault.seal(store.read, secret, { table: 'webhooks', id })
  return store.transaction(async (tx) => {
    // Of two rotations at once, the second one waits, and keeps the secret of the first one.
    await lockAccount(tx, webhook.accountId)
    const current = await findWebhookById(tx, id)
    if (!current) throw new DocentError('webhook_not_found')
    // A secret that cannot be decrypted signs nothing, so no receiver depends on it.
    const old = overlapHours === 0 ? null : openSecret(vault, current.sealedSecret, { table: 'webhooks', id })
    const owner = { table: 'webhookPreviousSecrets', id } as const
    const changed = await updateWebhookRow(tx, id, {
      sealedSecret,
      sealedPreviousSecret: old === null ? null : await vault.seal(tx, old, owner),
      previousSecretUntil: old === null ? null : now + overlapHours * HOUR_MS,
      updatedAt: now,
    })
    if (!changed) throw new DocentError('webhook_not_found')
    const answer = { ...presentWebhook(changed, { waiting: await countWaiting(tx, id), now }), secret }
    await remember(tx, answer)
    return answer
  })
}
