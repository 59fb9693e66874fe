import { type ReachedLimit, announceLimit } from '#webhooks/announce-limit.ts'
import { type DeliverDeps, deliverAgain, deliverTest } from '#webhooks/deliver.ts'
import { Deliverer } from '#webhooks/deliverer.ts'
import type { OperationDeps } from '#operations/operation.ts'
import type { Base } from './base.ts'
import type { Network } from './compose-network.ts'

export type Webhooks = Pick<OperationDeps, 'testWebhook' | 'resendDelivery' | 'announceLimit'> & {
  /** Starts to send due deliveries, until the service stops. */
  start: () => void
}

/** The webhooks of accounts: any node announces limits and sends tests, workers send the rest. */
export function composeWebhooks({ store, vault, stack, onError }: Base, { webhookNet: net }: Network): Webhooks {
  const deps: DeliverDeps = { store, vault, net }
  return {
    testWebhook: (webhook, signal) => deliverTest(deps, webhook, signal),
    resendDelivery: (delivery, signal) => deliverAgain(deps, delivery, signal),
    // The refusal itself must reach the caller whatever happens here.
    announceLimit: (reached: ReachedLimit) => announceLimit(store, reached).catch(onError),
    start: () => void stack.use(new Deliverer({ ...deps, onError })),
  }
}
