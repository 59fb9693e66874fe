import type { Examples } from '#reference/example.ts'
import { accountExamples } from './account.ts'

const { limits } = accountExamples['account.entitlements'].output

const OF_PLAN = {
  id: 'pur_4sQ2mTq0vXJw8hKZb1LcRy',
  kind: 'plan' as const,
  serverId: null,
  serverName: null,
  sources: null,
  plan: 'core',
  price: null,
  note: 'For the support team',
  state: 'requested' as const,
  reason: null,
  createdAt: '2026-03-02T09:15:25.628Z',
  settledAt: null,
}
const OF_SOURCES = {
  ...OF_PLAN,
  id: 'pur_0aYw6VdN3cJxT9rEoUuS2k',
  kind: 'sources' as const,
  serverId: 'srv_Th1whzzfCo4mf8OopjEMbj',
  serverName: 'Acme Mailer',
  sources: 2,
  plan: null,
  price: { amount: 6, currency: 'USD' as const, per: 'once' as const },
  note: '',
}
const account = { id: 'acc_E8T8NO20CH1Q2Ja1b4dl5A', email: 'ann@example.com', plan: 'free' }
const onePage = { page: 1, pageSize: 20 as const, total: 1, totalPages: 1 }
const settledAt = '2026-03-02T11:40:02.113Z'

export const purchaseExamples: Examples<'plans' | 'purchases'> = {
  'plans.list': {
    input: {},
    output: {
      plans: [{ plan: 'unlimited', price: null, limits, requestLog: true }],
      sourcePrice: { amount: 3, currency: 'USD', per: 'once' },
      payment: 'operator',
    },
    note: 'One of the plans:',
  },
  'purchases.requestSources': {
    input: { serverId: 'acme-mailer', sources: 2 },
    output: { ...OF_SOURCES, checkoutUrl: null },
  },
  'purchases.requestPlan': {
    input: { plan: 'core', note: 'For the support team' },
    output: { ...OF_PLAN, checkoutUrl: null },
  },
  'purchases.list': { input: {}, output: { purchases: [OF_SOURCES], ...onePage } },
  'purchases.withdraw': { input: { purchaseId: OF_SOURCES.id }, output: { ok: true } },
  'purchases.listAll': {
    input: { state: 'requested' },
    output: { purchases: [{ ...OF_PLAN, account }], ...onePage },
  },
  'purchases.grant': {
    input: { purchaseId: OF_PLAN.id },
    output: { ...OF_PLAN, state: 'granted', settledAt, account: { ...account, plan: 'core' } },
  },
  'purchases.refuse': {
    input: { purchaseId: OF_SOURCES.id, reason: 'The invoice of January is open.' },
    output: { ...OF_SOURCES, state: 'refused', reason: 'The invoice of January is open.', settledAt, account },
  },
}
