import {
  MAX_LOGGED_DELIVERIES,
  MAX_WEBHOOKS,
  WEBHOOK_EVENTS,
  type WebhookEvent,
} from '@docent/contract/operations/webhooks'
import type { Actor } from '#auth/authenticate.ts'
import { DocentError, found } from '#errors.ts'
import { isoTime, isoTimeOrNull, isoTimes } from '#lib/clock.ts'
import { defined } from '#lib/objects.ts'
import { maskAddress, showMasks } from '#lib/addresses/secret-address.ts'
import { newId } from '#lib/ids.ts'
import { lockAccount } from '#store/servers/servers.ts'
import {
  type DeliveryRow,
  type LoggedAttempt,
  countWaiting,
  endWaiting,
  listDeliveryRows,
} from '#store/webhooks/deliveries.ts'
import {
  type WebhookRow,
  deleteWebhook,
  findWebhookById,
  insertWebhook,
  listWebhookRows,
  updateWebhookRow,
} from '#store/webhooks/webhooks.ts'
import { newWebhookSecret, openSecret } from '#webhooks/send.ts'
import { type HandlersOf, type OperationDeps, done } from './operation.ts'
import { requireUrl } from './sources/check-source.ts'

const OF_INSTANCE: ReadonlySet<WebhookEvent> = new Set(['purchase.requested'])
const HOUR_MS = 60 * 60 * 1000

export const webhookHandlers: HandlersOf<'webhooks'> = {
  'webhooks.list': async ({ deps, actor }) => {
    const rows = await listWebhookRows(deps.store.read, actor.accountId)
    const now = deps.clock()
    const types = Object.keys(WEBHOOK_EVENTS) as WebhookEvent[]
    return {
      webhooks: rows.map((row) => presentWebhook(row, { waiting: row.waiting, now })),
      maxWebhooks: MAX_WEBHOOKS,
      available: types
        .filter((type) => actor.isOperator || !OF_INSTANCE.has(type))
        .map((type) => ({ type, about: WEBHOOK_EVENTS[type].about })),
    }
  },

  'webhooks.create': async (call, { url, events, name }) => {
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
      ...(await sealReceiver(deps, id, receiver)),
      name,
      events: JSON.stringify([...new Set(events)]),
      sealedSecret,
      sealedPreviousSecret: null,
      previousSecretUntil: null,
      lastDeliveredAt: null,
      ...WORKING,
      createdAt: now,
      updatedAt: now,
    }
    return deps.store.transaction(async (tx) => {
      await lockAccount(tx, actor.accountId)
      const others = await listWebhookRows(tx, actor.accountId)
      if (others.length >= MAX_WEBHOOKS) throw new DocentError('webhook_limit', { fields: { limit: MAX_WEBHOOKS } })
      await insertWebhook(tx, row)
      return remember(tx, { ...presentWebhook(row, { waiting: 0, now }), secret })
    })
  },

  'webhooks.update': async (call, { url, events, name, enabled }) => {
    const { deps, actor, webhook } = call
    if ([url, events, name, enabled].every((value) => value === undefined)) throw new DocentError('nothing_to_update')
    if (events) refuseEvents(actor, events)
    // Whoever sends back what was shown changes nothing.
    const isSame = url === undefined || showMasks(url) === webhook.url
    const receiver = isSame ? {} : await sealReceiver(deps, webhook.id, await readReceiver(call, url))
    const now = deps.clock()
    return deps.store.transaction(async (tx) => {
      const changed = await updateWebhookRow(tx, webhook.id, {
        ...receiver,
        ...defined({ events: events && JSON.stringify([...new Set(events)]), name }),
        ...(enabled === true ? WORKING : {}),
        ...(enabled === false ? { enabled: 0, disabledReason: null } : {}),
        updatedAt: now,
      })
      const row = found(changed, 'webhook_not_found')
      if (enabled === false) await endWaiting(tx, webhook.id, now)
      return presentWebhook(row, { waiting: await countWaiting(tx, webhook.id), now })
    })
  },

  'webhooks.rotate': async ({ deps, webhook, remember }, { overlapHours }) => {
    const { store, vault } = deps
    const { id } = webhook
    const now = deps.clock()
    const secret = newWebhookSecret()
    const sealedSecret = await vault.seal(store.read, secret, { table: 'webhooks', id })
    return store.transaction(async (tx) => {
      // Of two rotations at once, the second one waits, and keeps the secret of the first one.
      await lockAccount(tx, webhook.accountId)
      const current = found(await findWebhookById(tx, id), 'webhook_not_found')
      // A secret that cannot be decrypted signs nothing, so no receiver depends on it.
      const old = overlapHours === 0 ? null : openSecret(vault, current.sealedSecret, { table: 'webhooks', id })
      const owner = { table: 'webhookPreviousSecrets', id } as const
      const changed = await updateWebhookRow(tx, id, {
        sealedSecret,
        sealedPreviousSecret: old === null ? null : await vault.seal(tx, old, owner),
        previousSecretUntil: old === null ? null : now + overlapHours * HOUR_MS,
        updatedAt: now,
      })
      const row = found(changed, 'webhook_not_found')
      return remember(tx, { ...presentWebhook(row, { waiting: await countWaiting(tx, id), now }), secret })
    })
  },

  'webhooks.delete': ({ deps, webhook }) => done(deps, (tx) => deleteWebhook(tx, webhook.id)),

  'webhooks.deliveries': async ({ deps, webhook }) => {
    const rows = await listDeliveryRows(deps.store.read, webhook.id, MAX_LOGGED_DELIVERIES)
    return { deliveries: rows.map(presentDelivery) }
  },

  'webhooks.resend': async ({ deps, delivery, signal }) => presentDelivery(await deps.resendDelivery(delivery, signal)),
  'webhooks.test': async ({ deps, webhook, signal }) => presentDelivery(await deps.testWebhook(webhook, signal)),
}

/** State of a new webhook. One that is switched on again also has the full time to work. */
const WORKING = { enabled: 1, disabledReason: null, failures: 0, failingSince: null, dropped: 0 } as const

type Asking = { deps: OperationDeps; actor: Actor; signal: AbortSignal }

/** The address of a receiver as it is stored: secrets in its query are masked, and it is encrypted as a whole. */
async function sealReceiver({ vault, store }: OperationDeps, id: string, href: string) {
  const url = maskAddress(href)
  const owner = { table: 'webhookAddresses', id } as const
  return { url, sealedUrl: url === href ? null : await vault.seal(store.read, href, owner) }
}

/** The normal form of a receiver's address. Throws `400 valid_url_required` or `400 webhook_url_private`. */
async function readReceiver({ deps, actor, signal }: Asking, text: string): Promise<string> {
  const address = requireUrl(text)
  if (address.username || address.password) {
    const message = `The URL of ${address.host} contains a user name or password. Remove it.`
    throw new DocentError('valid_url_required', { fields: { message } })
  }
  const isOwn = deps.isOwnAddress(address)
  const verdict = isOwn ? 'private' : await deps.checkAddress(address, { account: actor.accountId, signal })
  if (verdict === 'private') throw new DocentError('webhook_url_private')
  return address.href
}

/** Throws `403 operator_only` for events about the whole instance. */
function refuseEvents({ isOperator }: Actor, events: readonly WebhookEvent[]): void {
  const foreign = isOperator ? undefined : events.find((event) => OF_INSTANCE.has(event))
  if (foreign)
    throw new DocentError('operator_only', { text: `Only the operator of this instance can get ${foreign}.` })
}

function presentWebhook(row: WebhookRow, { waiting, now }: { waiting: number; now: number }) {
  const { previousSecretUntil: until, failingSince } = row
  return {
    ...isoTimes(row),
    events: JSON.parse(row.events) as WebhookEvent[],
    enabled: row.enabled === 1,
    failingSince: isoTimeOrNull(failingSince),
    waiting,
    previousSecretUntil: isoTimeOrNull((until ?? 0) > now ? until : null),
  }
}

const presentDelivery = (row: DeliveryRow) => ({
  ...isoTimes(row),
  attempts: (JSON.parse(row.log) as LoggedAttempt[]).map((attempt) => ({ ...attempt, at: isoTime(attempt.at) })),
  nextAttemptAt: row.state === 'queued' ? isoTime(row.nextAt) : null,
})
