import type { Engine } from '../database/engines.ts'
import { keepOpen } from '../lib/keep-open.ts'
import { type Receiver, startReceiver } from '../sites/receiver.ts'
import { type Docent, startDocent } from './harness.ts'

/** Settings of a service with webhooks of accounts on the free plan. */
export const WEBHOOK_SERVICE = {
  plan: 'free',
  environment: { DOCENT_RATE_LIMITS: 'off', DOCENT_SECRET_KEY: 'k'.repeat(32) },
} as const

/** A service with webhooks, until the tests of the suite have ended. */
export const startWithWebhooks = (engine: Engine): Promise<Docent> =>
  keepOpen(startDocent({ engine, ...WEBHOOK_SERVICE }))

let unique = 0

/** A new account on the free plan with a receiver and a webhook for `events`. Dispose of it to close the receiver. */
export async function webhookWorld(docent: Docent, events: readonly string[], email?: string) {
  const receiver: Receiver = await startReceiver()
  const key = await docent.makeKey(email ?? `hooked${(unique += 1)}@example.test`)
  const ask = (method: string, path: string, body?: unknown) => docent.request(method, path, body, { key })
  const made = await ask('POST', '/api/webhooks', { url: receiver.url, events })
  const { id, secret } = made.body as { id: string; secret: string }
  return {
    receiver,
    key,
    ask,
    id,
    secret,
    /** The webhook as the list shows it. */
    state: async () => (await ask('GET', '/api/webhooks')).body.webhooks.find((one: any) => one.id === id),
    deliveries: async () => (await ask('GET', `/api/webhooks/${id}/deliveries`)).body.deliveries as any[],
    /** Makes waiting deliveries due now. */
    hurry: () =>
      docent.inStore(({ write }) =>
        write
          .updateTable('webhookDeliveries')
          .set({ nextAt: 0 })
          .where('webhookId', '=', id)
          .where('state', '=', 'queued')
          .execute(),
      ),
    create: async (...urls: string[]) =>
      (await ask('POST', '/api/mcp/create', { name: 'Hooked', sources: urls.map((url) => ({ url })) })).body,
    [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose](),
  }
}
