import { z } from 'zod'
import { getEntitlements } from './account.ts'
import { createdAt, ok, pageParameter, paging } from '#fields.ts'
import { defineOperation } from '#operation.ts'

/** Names of the plans, smallest first. */
export const PLAN_NAMES = ['free', 'core', 'unlimited'] as const
export type PlanName = (typeof PLAN_NAMES)[number]

/** Open orders per account: more than anybody waits for, few enough for the operator to read. */
export const MAX_OPEN_PURCHASES = 20
/** Sources per order. */
export const MAX_BOUGHT_SOURCES = 100
/** Purchases per page of a list. */
export const PURCHASES_PER_PAGE = 20
const MAX_NOTE = 500

const HOUR_MS = 60 * 60 * 1000

const plan = z.enum(PLAN_NAMES)

const PriceSchema = z
  .object({
    amount: z.number().min(0).describe('Amount in US dollars'),
    currency: z.literal('USD').describe('Always `USD`'),
    per: z.enum(['once', 'month']).describe('`once`: paid once. `month`: paid each month'),
  })
  .nullable()
  .describe('Price; null: agreed with the operator')

export const PurchaseStateSchema = z
  .enum(['requested', 'granted', 'refused', 'withdrawn'])
  .describe('`requested` until the operator decides or the account withdraws it')

const PurchaseSchema = z.object({
  id: z.string().describe('Id of the purchase'),
  kind: z.enum(['sources', 'plan']).describe('`sources`: more sources on a server. `plan`: another plan'),
  serverId: z.string().nullable().describe('Server that gets the sources; null for a plan, or after its deletion'),
  serverName: z.string().nullable().describe('Name of that server'),
  sources: z.number().int().nullable().describe('Number of sources; null for a plan'),
  plan: z.string().nullable().describe('Ordered plan; null for sources'),
  price: PriceSchema,
  note: z.string().describe('Message of the account to the operator; may be empty'),
  state: PurchaseStateSchema,
  reason: z.string().nullable().describe('Why the operator refused it'),
  createdAt,
  settledAt: z.iso.datetime().nullable().describe('When it was granted, refused or withdrawn'),
})

export const PurchaseOfAccountSchema = PurchaseSchema.extend({
  account: z
    .object({
      id: z.string().describe('Id of the account'),
      email: z.string().describe('Email address of the account'),
      plan: z.string().describe('Its plan now'),
    })
    .describe('Account that ordered it'),
})

const note = z
  .string()
  .trim()
  .max(MAX_NOTE, `must have at most ${MAX_NOTE} characters`)
  .default('')
  .describe('Message to the operator')

const checkoutUrl = z.url().nullable().describe('Page to pay at; null: the operator grants the order')
const purchaseId = z.string().describe('Id of the purchase')
const requestErrors = [
  'unauthorized',
  'key_scoped',
  'too_many_requests',
  'invalid_input',
  'purchase_limit',
  'idempotency_key_malformed',
  'idempotency_key_reused',
] as const

const listPlans = defineOperation({
  method: 'GET',
  path: '/api/billing/plans',
  auth: 'key',
  needs: ['viewer', 'read'],
  summary: 'List the plans and prices of this instance',
  input: z.object({}),
  output: z.object({
    plans: z
      .array(
        z.object({
          plan: plan.describe('Name of the plan'),
          price: PriceSchema,
          limits: getEntitlements.output.shape.limits,
          requestLog: z.boolean().describe('Includes the request log and all analytics'),
        }),
      )
      .describe('The plans, smallest first'),
    sourcePrice: PriceSchema.describe('Price of one source beyond the plan, on one server'),
    payment: z.literal('operator').describe('`operator`: the operator takes the payment and grants orders'),
  }),
  errors: ['unauthorized'],
})

const requestSources = defineOperation({
  method: 'POST',
  path: '/api/billing/purchases/sources',
  auth: 'account',
  needs: ['owner', 'publish'],
  resource: 'serverInBody',
  rateLimit: { limit: 60, windowMs: HOUR_MS, of: 'requests for more sources' },
  onceByKey: true,
  summary: 'Order more sources for a server than the plan includes',
  description: 'The server can have the sources as soon as the order is granted.',
  input: z.object({
    serverId: z.string('server_id_required').min(1, 'server_id_required').describe('Id or slug of the server'),
    sources: z.number().int().min(1).max(MAX_BOUGHT_SOURCES).default(1).describe('Number of sources'),
    note,
  }),
  output: PurchaseSchema.extend({ checkoutUrl }),
  errors: [...requestErrors, 'server_not_found', 'server_id_required'],
})

const requestPlan = defineOperation({
  method: 'POST',
  path: '/api/billing/purchases/plan',
  auth: 'account',
  needs: ['owner', 'publish'],
  rateLimit: { limit: 60, windowMs: HOUR_MS, of: 'requests for another plan' },
  onceByKey: true,
  summary: 'Order another plan for the account',
  description: 'An account can have one open order of a plan. The plan applies as soon as the order is granted.',
  input: z.object({ plan: plan.describe('The ordered plan'), note }),
  output: PurchaseSchema.extend({ checkoutUrl }),
  errors: [...requestErrors, 'plan_is_current', 'plan_requested'],
})

const listPurchases = defineOperation({
  method: 'GET',
  path: '/api/billing/purchases',
  auth: 'account',
  needs: ['owner', 'read'],
  summary: 'List the purchases of the account, newest first',
  input: z.object({ page: pageParameter }),
  output: z.object({
    purchases: z.array(PurchaseSchema).describe('Purchases on this page'),
    ...paging(PURCHASES_PER_PAGE),
  }),
  errors: ['unauthorized', 'key_scoped', 'invalid_input'],
})

const withdrawPurchase = defineOperation({
  method: 'DELETE',
  path: '/api/billing/purchases/{purchaseId}',
  auth: 'account',
  needs: ['owner', 'publish'],
  resource: 'purchase',
  summary: 'Withdraw an open order',
  input: z.object({ purchaseId }),
  output: z.object({ ok }),
  errors: ['unauthorized', 'key_scoped', 'purchase_not_found', 'purchase_settled'],
})

const listAllPurchases = defineOperation({
  method: 'GET',
  path: '/api/instance/purchases',
  auth: 'operator',
  needs: ['owner', 'read'],
  summary: 'List the purchases of all accounts, newest first',
  input: z.object({
    state: PurchaseStateSchema.optional().describe('Only purchases in this state'),
    page: pageParameter,
  }),
  output: z.object({
    purchases: z.array(PurchaseOfAccountSchema).describe('Purchases on this page'),
    ...paging(PURCHASES_PER_PAGE),
  }),
  errors: ['unauthorized', 'key_scoped', 'operator_only', 'invalid_input'],
})

const grantPurchase = defineOperation({
  method: 'POST',
  path: '/api/instance/purchases/{purchaseId}/grant',
  auth: 'operator',
  needs: ['owner', 'publish'],
  resource: 'anyPurchase',
  summary: 'Grant an order, with effect on the next request of the account',
  description: 'An order is granted once, also if several operators grant it at the same time.',
  input: z.object({ purchaseId }),
  output: PurchaseOfAccountSchema,
  errors: [
    'unauthorized',
    'key_scoped',
    'operator_only',
    'purchase_not_found',
    'purchase_settled',
    'purchase_server_gone',
  ],
})

const refusePurchase = defineOperation({
  method: 'POST',
  path: '/api/instance/purchases/{purchaseId}/refuse',
  auth: 'operator',
  needs: ['owner', 'publish'],
  resource: 'anyPurchase',
  summary: 'Refuse an order, with a reason for the account',
  input: z.object({
    purchaseId,
    reason: z
      .string()
      .trim()
      .min(1, 'must not be empty')
      .max(MAX_NOTE, `must have at most ${MAX_NOTE} characters`)
      .describe('Why, in a sentence for the account'),
  }),
  output: PurchaseOfAccountSchema,
  errors: ['unauthorized', 'key_scoped', 'operator_only', 'purchase_not_found', 'invalid_input', 'purchase_settled'],
})

export const purchaseOperations = {
  'plans.list': listPlans,
  'purchases.requestSources': requestSources,
  'purchases.requestPlan': requestPlan,
  'purchases.list': listPurchases,
  'purchases.withdraw': withdrawPurchase,
  'purchases.listAll': listAllPurchases,
  'purchases.grant': grantPurchase,
  'purchases.refuse': refusePurchase,
} as const
