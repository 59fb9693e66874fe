import { MAX_WEBHOOKS } from '@docent/contract/operations/webhooks'
import { DocentError } from '#errors.ts'
import { newId } from '#lib/ids.ts'
import { lockAccount } from '#store/servers/servers.ts'
import { type WebhookRow, insertWebhook, listWebhookRows } from '#store/webhooks/webhooks.ts'
import { newWebhookSecret } from '#webhooks/sign.ts'
import type { Handler } from '../operation.ts'
import { readReceiver, refuseEvents } from './check-webhook.ts'
import { presentWebhook } from './present.ts'

export const createWebhook: Handler<'webhooks.create'> = async (call, { url, events, name }) => {
  const { deps, actor, remember } = call
  refuseEvents(actor, events)
  const receiver = await readReceiver(call, url)
  const id = newId('whk')
  const secret = newWebhookSecret()
  const sealedSecret = await deps.vault.seal(deps.store.read, secret, { table: 'webhooks', id })
  const now = deps.clock()
  const row: WebhookRow = {
    id,
    accountId: actor.accountId,
    url: receiver,
    name,
    events: JSON.stringify([...new Set(events)]),
    sealedSecret,
    sealedPreviousSecret: null,
    previousSecretUntil: null,
    enabled: 1,
    disabledReason: null,
    failures: 0,
    failingSince: null,
    lastDeliveredAt: null,
    dropped: 0,
    createdAt: now,
    updatedAt: now,
  }
  return deps.store.transaction(async (tx) => {
    await lockAccount(tx, actor.accountId)
    const others = await listWebhookRows(tx, actor.accountId)
    if (others.length >= MAX_WEBHOOKS) throw new DocentError('webhook_limit', { fields: { limit: MAX_WEBHOOKS } })
    await insertWebhook(tx, row)
    const answer = { ...presentWebhook(row, { waiting: 0, now }), secret }
    await remember(tx, answer)
    return answer
  })
}
