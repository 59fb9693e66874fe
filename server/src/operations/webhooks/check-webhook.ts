import type { WebhookEvent } from '@docent/contract/operations/webhooks'
import type { Actor } from '#auth/authenticate.ts'
import { DocentError } from '#errors.ts'
import type { OperationDeps } from '../operation.ts'
import { requireUrl } from '../sources/read-url.ts'

type Asking = { deps: OperationDeps; actor: Actor; signal: AbortSignal }

/**
 * The address of a receiver in normal form. Throws `400 valid_url_required`, and `400 webhook_url_private` for an
 * address that deliveries could not reach. A host that cannot be resolved now is accepted.
 */
export async function readReceiver({ deps, actor, signal }: Asking, text: string): Promise<string> {
  const address = requireUrl(deps, text)
  const isOwn = deps.isOwnAddress(address)
  const verdict = isOwn ? 'private' : await deps.checkAddress(address, { account: actor.accountId, signal })
  if (verdict === 'private') throw new DocentError('webhook_url_private')
  return address.href
}

/** Throws `403 operator_only` for events about the whole instance. */
export function refuseEvents({ isOperator }: Actor, events: readonly WebhookEvent[]): void {
  const foreign = isOperator ? undefined : events.find((event) => OF_INSTANCE.has(event))
  if (foreign)
    throw new DocentError('operator_only', { text: `Only the operator of this instance can get ${foreign}.` })
}

export const OF_INSTANCE: ReadonlySet<WebhookEvent> = new Set(['purchase.requested'])
