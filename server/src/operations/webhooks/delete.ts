import { deleteWebhook } from '#store/webhooks/webhooks.ts'
import type { Handler } from '../operation.ts'

export const removeWebhook: Handler<'webhooks.delete'> = async ({ deps, webhook }) => {
  await deleteWebhook(deps.store.write, webhook.id)
  return { ok: true }
}
