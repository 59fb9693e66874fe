import { z } from 'zod'
import { createdAt, ok, serverId, updatedAt } from '#fields.ts'
import { defineOperation } from '#operation.ts'
import { PurchaseOfAccountSchema } from './purchases.ts'
import { outcome } from '#values/analytics-fields.ts'
import { MAX_URL } from '#values/sources.ts'

/** Webhooks per account: enough for several systems and event kinds, few enough to bound the deliveries. */
export const MAX_WEBHOOKS = 10
/** Deliveries that wait for one webhook. Further events are dropped and counted. */
export const MAX_WAITING_DELIVERIES = 500
/** Questions of a server that are announced within 24 hours. More than a person reads. */
export const MAX_DAILY_QUESTIONS = 50
/** Deliveries in the log of a webhook. */
export const MAX_LOGGED_DELIVERIES = 50
/** Seconds before each further attempt: eight attempts over 18 hours, so that a night without the receiver costs nothing. */
export const RETRY_SECONDS = [5, 60, 300, 1_800, 7_200, 18_000, 36_000] as const
/** A receiver has to answer within this time. Slow work belongs after its answer. */
export const RECEIVER_TIMEOUT_MS = 10_000
/** Attempts in the log of a delivery. Only one that is sent again many times has more. */
export const MAX_LOGGED_ATTEMPTS = 20
/** Hours for which the old secret also signs after a rotation. A week is enough to change every receiver. */
export const OVERLAP_HOURS = { usual: 24, most: 168 } as const
/** A webhook is switched off after this many days and failed attempts without a success. */
export const SWITCH_OFF_AFTER = { days: 3, attempts: 20 } as const

const OfServerSchema = z.object({
  serverId,
  slug: z.string().describe('Name of the server in its address'),
  name: z.string().describe('Name of the server'),
  status: z.enum(['active', 'error']).describe('State of the server now'),
  sourceCount: z.number().int().describe('Sources of the server'),
  sources: z
    .array(
      z.object({
        id: z.string().describe('Id of the source'),
        url: z.string().describe('Address of the source'),
        label: z.string().nullable().describe('Label of the source'),
        crawlStatus: z.string().describe('`complete` or `error`'),
        crawlError: z.string().nullable().describe('Why it could not be indexed'),
        pagesIndexed: z.number().int().describe('Pages that can be searched'),
        pagesFailed: z.number().int().describe('Pages that could not be read'),
      }),
    )
    .describe('The first 50 sources'),
})

const LimitSchema = z.object({
  limit: z.string().describe('Name of the limit, as in `GET /api/account/entitlements`'),
  allowed: z.number().int().describe('Amount that the plan allows'),
  serverId: z.string().nullable().describe('Server that reached it; null for limits of the account'),
  resetsAt: z.iso.datetime().nullable().describe('When the count starts again; null if it does not'),
})

const QuestionSchema = z.object({
  serverId,
  slug: z.string().describe('Name of the server in its address'),
  name: z.string().describe('Name of the server'),
  callId: z.string().describe('Id of the call, for its trace'),
  at: z.iso.datetime().describe('Time of the call'),
  tool: z.string().describe('Name of the tool'),
  question: z.string().describe('The question or search, as the request log has it'),
  outcome,
})

/** Events of webhooks, with the `data` of each. */
export const WEBHOOK_EVENTS = {
  'server.indexed': { about: 'All indexing of a server has ended, and it can be searched', data: OfServerSchema },
  'server.failed': {
    about: 'All indexing of a server has ended, and no source could be indexed',
    data: OfServerSchema,
  },
  'question.unanswered': {
    about: `A question or search got no good answer. Sent once per server, wording and calendar month, at most ${MAX_DAILY_QUESTIONS} times a day per server`,
    data: QuestionSchema,
  },
  'limit.reached': {
    about: 'A limit of the plan was reached. Sent once per limit and calendar month',
    data: LimitSchema,
  },
  'purchase.requested': {
    about: 'An account orders sources or a plan. Only for the operator',
    data: PurchaseOfAccountSchema,
  },
} as const satisfies Record<string, { about: string; data: z.ZodType }>

export type WebhookEvent = keyof typeof WEBHOOK_EVENTS
/** What an event says. */
export type EventData<Type extends WebhookEvent> = z.input<(typeof WEBHOOK_EVENTS)[Type]['data']>
/** The event of `POST /api/webhooks/{webhookId}/test`. Nobody subscribes to it. */
export const TEST_EVENT = 'webhook.test'

const EVENT_NAMES = Object.keys(WEBHOOK_EVENTS) as [WebhookEvent, ...WebhookEvent[]]

const WebhookSchema = z.object({
  id: z.string().describe('Id of the webhook'),
  url: z.string().describe('Address that gets the events'),
  name: z.string().describe('What it is for; may be empty'),
  events: z.array(z.enum(EVENT_NAMES)).describe('Events that it gets'),
  enabled: z.boolean().describe('Whether events are sent'),
  disabledReason: z.string().nullable().describe('Why the service switched it off; null if it did not'),
  failingSince: z.iso.datetime().nullable().describe('First failed attempt after the last success; null if it works'),
  lastDeliveredAt: z.iso.datetime().nullable().describe('Time of the last success'),
  waiting: z.number().int().describe('Deliveries that wait for an attempt'),
  previousSecretUntil: z.iso
    .datetime()
    .nullable()
    .describe('Until when the secret from before the last rotation also signs; null if only one secret signs'),
  dropped: z.number().int().describe(`Events that were dropped because ${MAX_WAITING_DELIVERIES} were waiting`),
  createdAt,
  updatedAt,
})

const DeliverySchema = z.object({
  id: z.string().describe('Id of the event, sent as `webhook-id`'),
  type: z.string().describe('Event'),
  state: z.enum(['queued', 'delivered', 'failed']).describe('`failed`: there will be no further attempt'),
  attempts: z
    .array(
      z.object({
        at: z.iso.datetime().describe('When it ended'),
        status: z.number().int().nullable().describe('HTTP status of the answer; null if there was none'),
        error: z.string().nullable().describe('Why it failed; null for a success'),
        durationMs: z.number().int().describe('Duration in milliseconds'),
      }),
    )
    .describe(`The last ${MAX_LOGGED_ATTEMPTS} attempts, oldest first`),
  nextAttemptAt: z.iso.datetime().nullable().describe('Time of the next attempt; null if there is none'),
  createdAt,
})

const url = z
  .string('valid_url_required')
  .trim()
  .min(1, 'valid_url_required')
  .max(MAX_URL, `must have at most ${MAX_URL} characters`)
  .describe('Address that gets the events, http or https')
const name = z.string().trim().max(100, 'must have at most 100 characters').describe('What it is for')
const events = z
  .array(z.enum(EVENT_NAMES))
  .min(1, 'must name at least one event')
  .max(EVENT_NAMES.length)
  .describe('Events that it gets')
const webhookId = z.string().describe('Id of the webhook')
const deliveryId = z.string().describe('Id of the delivery')
const ONE = ['unauthorized', 'key_scoped', 'webhook_not_found'] as const
const ADDRESS = ['invalid_input', 'valid_url_required', 'webhook_url_private', 'operator_only'] as const

const listWebhooks = defineOperation({
  method: 'GET',
  path: '/api/webhooks',
  auth: 'account',
  needs: ['owner', 'read'],
  summary: 'List the webhooks of the account',
  input: z.object({}),
  output: z.object({
    webhooks: z.array(WebhookSchema).describe('The webhooks, oldest first'),
    maxWebhooks: z.literal(MAX_WEBHOOKS).describe('Webhooks that an account can have'),
    available: z
      .array(z.object({ type: z.enum(EVENT_NAMES).describe('Event'), about: z.string().describe('When it is sent') }))
      .describe('Events that a webhook of this account can get'),
  }),
  errors: ['unauthorized', 'key_scoped'],
})

const createWebhook = defineOperation({
  method: 'POST',
  path: '/api/webhooks',
  auth: 'account',
  needs: ['owner', 'publish'],
  onceByKey: true,
  rateLimit: { limit: 60, windowMs: 60 * 60 * 1000, of: 'requests to create a webhook' },
  summary: 'Create a webhook',
  description: `Events are sent as signed POST requests. See [Webhooks](webhooks.md). Private addresses are refused unless the
operator allows their network.`,
  input: z.object({ url, events, name: name.default('') }),
  output: WebhookSchema.extend({
    secret: z.string().describe('Secret that verifies the signatures, `whsec_…`; it is shown only here'),
  }),
  errors: [
    'unauthorized',
    'key_scoped',
    'too_many_requests',
    ...ADDRESS,
    'webhook_limit',
    'credentials_unavailable',
    'idempotency_key_malformed',
    'idempotency_key_reused',
  ],
})

const updateWebhook = defineOperation({
  method: 'PATCH',
  path: '/api/webhooks/{webhookId}',
  auth: 'account',
  needs: ['owner', 'publish'],
  resource: 'webhook',
  summary: 'Change a webhook, or switch it on or off',
  description: 'Switching it off ends its waiting deliveries. The secret stays: `POST …/rotate` replaces it.',
  input: z.object({
    webhookId,
    url: url.optional(),
    events: events.optional(),
    name: name.optional(),
    enabled: z.boolean().optional().describe('Whether events are sent'),
  }),
  output: WebhookSchema,
  errors: [...ONE, ...ADDRESS, 'nothing_to_update'],
})

const rotateWebhook = defineOperation({
  method: 'POST',
  path: '/api/webhooks/{webhookId}/rotate',
  auth: 'account',
  needs: ['owner', 'publish'],
  resource: 'webhook',
  onceByKey: true,
  rateLimit: { limit: 60, windowMs: 60 * 60 * 1000, of: 'new secrets of webhooks' },
  summary: 'Replace the secret of a webhook',
  description: `Until the overlap ends, each event carries two signatures: by the new secret, then by the old one. A second rotation
within that time ends the secret from before the first one.`,
  input: z.object({
    webhookId,
    overlapHours: z
      .number()
      .int()
      .min(0)
      .max(OVERLAP_HOURS.most)
      .default(OVERLAP_HOURS.usual)
      .describe('Hours for which the old secret also signs; 0: it ends at once'),
  }),
  output: WebhookSchema.extend({ secret: z.string().describe('The new secret, `whsec_…`; it is shown only here') }),
  errors: [
    ...ONE,
    'too_many_requests',
    'invalid_input',
    'credentials_unavailable',
    'idempotency_key_malformed',
    'idempotency_key_reused',
  ],
})

const deleteWebhook = defineOperation({
  method: 'DELETE',
  path: '/api/webhooks/{webhookId}',
  auth: 'account',
  needs: ['owner', 'publish'],
  resource: 'webhook',
  summary: 'Delete a webhook with its waiting deliveries and its log',
  input: z.object({ webhookId }),
  output: z.object({ ok }),
  errors: [...ONE],
})

const testWebhook = defineOperation({
  method: 'POST',
  path: '/api/webhooks/{webhookId}/test',
  auth: 'account',
  needs: ['owner', 'publish'],
  actsOutside: true,
  resource: 'webhook',
  rateLimit: { limit: 30, windowMs: 60 * 60 * 1000, of: 'test events of webhooks' },
  summary: 'Send a test event and wait for its result',
  description: `The event has the type \`${TEST_EVENT}\`. It is sent once, also to a webhook that is off, and does not count as a
failure.`,
  input: z.object({ webhookId }),
  output: DeliverySchema,
  errors: [...ONE, 'too_many_requests'],
})

const listDeliveries = defineOperation({
  method: 'GET',
  path: '/api/webhooks/{webhookId}/deliveries',
  auth: 'account',
  needs: ['owner', 'read'],
  resource: 'webhook',
  summary: 'List the last deliveries of a webhook, newest first',
  input: z.object({ webhookId }),
  output: z.object({
    deliveries: z.array(DeliverySchema).describe(`The last ${MAX_LOGGED_DELIVERIES} deliveries`),
  }),
  errors: [...ONE],
})

const resendDelivery = defineOperation({
  method: 'POST',
  path: '/api/webhooks/{webhookId}/deliveries/{deliveryId}/resend',
  auth: 'account',
  needs: ['owner', 'publish'],
  actsOutside: true,
  resource: 'delivery',
  rateLimit: { limit: 120, windowMs: 60 * 60 * 1000, of: 'deliveries that are sent again' },
  summary: 'Send a delivery again now and wait for its result',
  description: `The event has the same id and body, and a new signature. One that waits for a retry is sent now, and its retries go on if
that fails. One that has ended is sent once, also to a webhook that is off, and does not count as a failure.`,
  input: z.object({ webhookId, deliveryId }),
  output: DeliverySchema,
  errors: [...ONE, 'delivery_not_found', 'too_many_requests', 'delivery_under_way'],
})

export const webhookOperations = {
  'webhooks.list': listWebhooks,
  'webhooks.create': createWebhook,
  'webhooks.update': updateWebhook,
  'webhooks.rotate': rotateWebhook,
  'webhooks.delete': deleteWebhook,
  'webhooks.test': testWebhook,
  'webhooks.deliveries': listDeliveries,
  'webhooks.resend': resendDelivery,
} as const
