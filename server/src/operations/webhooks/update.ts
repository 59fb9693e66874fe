import { DocentError } from '#errors.ts'
import { countWaiting, endWaiting } from '#store/webhooks/deliveries.ts'
import { updateWebhookRow } from '#store/webhooks/webhooks.ts'
import type { Handler } from '../operation.ts'
import { readReceiver, refuseEvents } from './check-webhook.ts'
import { presentWebhook } from './present.ts'

export const updateWebhook: Handler<'webhooks.update'> = async (call, { url, events, name, enabled }) => {
  const { deps, actor, webhook } = call
  if ([url, events, name, enabled].every((value) => value === undefined)) throw new DocentError('nothing_to_update')
  if (events) refuseEvents(actor, events)
  const receiver = url === undefined ? undefined : await readReceiver(call, url)
  const now = deps.clock()
  return deps.store.transaction(async (tx) => {
    const changed = await updateWebhookRow(tx, webhook.id, {
      ...(receiver === undefined ? {} : { url: receiver }),
      ...(events === undefined ? {} : { events: JSON.stringify([...new Set(events)]) }),
      ...(name === undefined ? {} : { name }),
      // Switched on again, it has the full time to work.
      ...(enabled === true ? { enabled: 1, disabledReason: null, failures: 0, failingSince: null, dropped: 0 } : {}),
      ...(enabled === false ? { enabled: 0, disabledReason: null } : {}),
      updatedAt: now,
    })
    if (!changed) throw new DocentError('webhook_not_found')
    if (enabled === false) await endWaiting(tx, webhook.id, now)
    return presentWebhook(changed, { waiting: await countWaiting(tx, webhook.id), now })
  })
}
