import type { DocentClient, Output } from '@docent/sdk'
import { CommandError } from '../command-error.ts'
import { countOf } from '../count-of.ts'
import { EXIT } from '../exit-codes.ts'
import {
  type ClientCommand,
  type Options,
  type Shown,
  argumentOf,
  given,
  numberOf,
  optionOf,
} from './client-command.ts'
import { PAGE, pageOf, showPage } from './show-page.ts'

type Purchase = Output<'purchases.list'>['purchases'][number]
type Price = Purchase['price']

const PLANS = ['free', 'core', 'unlimited'] as const
const STATES = ['requested', 'granted', 'refused', 'withdrawn'] as const

export const PURCHASE_COMMANDS: readonly ClientCommand[] = [
  {
    name: 'plans list',
    about: 'List the plans of the service with their prices and limits.',
    async run(client) {
      const answer = await client.plans.list()
      const rows = answer.plans.map(({ plan, price, limits, requestLog }) => [
        plan,
        priceInWords(price),
        amount(limits.servers),
        amount(limits.sourcesPerServer),
        amount(limits.mcpRequestsPerMonth),
        requestLog ? 'yes' : 'no',
      ])
      const head = ['plan', 'price', 'servers', 'sources per server', 'calls per month', 'request log']
      const notes = [`One more source on a server costs ${priceInWords(answer.sourcePrice)}.`]
      return { json: answer, table: [head, ...rows], notes }
    },
  },
  {
    name: 'purchases list',
    about: 'List the requests of the account for sources and plans, or those of all accounts.',
    options: [
      ['--all', 'the requests of all accounts, for the operator'],
      ['--state <state>', 'with --all, only requests in this state', STATES],
      PAGE,
    ],
    run: (client, _args, options) => (options['all'] === true ? listAll(client, options) : listOwn(client, options)),
  },
  {
    name: 'purchases request',
    about: 'Request another plan, or more sources for a server. The operator grants it.',
    options: [
      ['--plan <plan>', 'the plan', PLANS],
      ['--sources <number>', 'how many sources'],
      ['--server <server>', 'id or slug of the server that gets them'],
      ['--note <text>', 'message to the operator'],
    ],
    run: (client, _args, options) => request(client, options),
  },
  {
    name: 'purchases withdraw',
    about: 'Withdraw an open request.',
    arguments: [['<purchase>', 'id of the request']],
    destroys: 'the open request {0}',
    async run(client, args) {
      const answer = await client.purchases.withdraw({ purchaseId: argumentOf(args, 0) })
      return { json: answer, lines: ['The request is withdrawn.'] }
    },
  },
  {
    name: 'purchases grant',
    about: 'Grant a request of an account. For the operator.',
    arguments: [['<request>', 'id of the request']],
    async run(client, args) {
      const granted = await client.purchases.grant({ purchaseId: argumentOf(args, 0) })
      return { json: granted, lines: [`${granted.account.email} has ${whatOf(granted)}.`] }
    },
  },
  {
    name: 'purchases refuse',
    about: 'Refuse a request of an account. For the operator.',
    arguments: [
      ['<request>', 'id of the request'],
      ['<reason...>', 'why, in a sentence for the account'],
    ],
    async run(client, [purchaseId = '', ...words]) {
      const refused = await client.purchases.refuse({ purchaseId, reason: words.join(' ') })
      return { json: refused, lines: [`The request of ${refused.account.email} for ${whatOf(refused)} is refused.`] }
    },
  },
]

async function listOwn(client: DocentClient, options: Options): Promise<Shown> {
  if (options['state'] !== undefined) throw new CommandError('--state needs --all.', EXIT.usage)
  const answer = await client.purchases.list(pageOf(options))
  return listed(answer, answer.purchases, (each) => [
    each.id,
    each.createdAt,
    whatOf(each),
    priceInWords(each.price),
    stateOf(each),
  ])
}

async function listAll(client: DocentClient, options: Options): Promise<Shown> {
  const state = optionOf(options, 'state') as Purchase['state'] | undefined
  const answer = await client.purchases.listAll({ ...given({ state }), ...pageOf(options) })
  return listed(
    answer,
    answer.purchases,
    (each) => [
      each.id,
      each.createdAt,
      whatOf(each),
      priceInWords(each.price),
      stateOf(each),
      each.account.email,
      each.note,
    ],
    ['account', 'message'],
  )
}

function listed<P>(
  answer: Parameters<typeof showPage>[0],
  purchases: readonly P[],
  rowOf: (purchase: P) => string[],
  more: string[] = [],
): Shown {
  const head = ['request', 'time', 'for', 'price', 'state', ...more]
  return showPage(answer, { head, rows: purchases.map(rowOf), none: 'There are no such requests.' })
}

async function request(client: DocentClient, options: Options): Promise<Shown> {
  const plan = optionOf(options, 'plan') as (typeof PLANS)[number] | undefined
  const serverId = optionOf(options, 'server')
  const sources = numberOf(options, 'sources')
  const note = given({ note: optionOf(options, 'note') })
  if ((plan === undefined) === (serverId === undefined)) {
    throw new CommandError('Give either --plan, or --server with --sources.', EXIT.usage)
  }
  if (plan !== undefined && sources !== undefined) throw new CommandError('--sources needs --server.', EXIT.usage)
  const made =
    plan === undefined
      ? await client.purchases.requestSources({ serverId: serverId ?? '', ...given({ sources }), ...note })
      : await client.purchases.requestPlan({ plan, ...note })
  const next = made.checkoutUrl === null ? 'The operator of the service decides.' : `Pay here: ${made.checkoutUrl}`
  return { json: made, lines: [`${made.id}  ${whatOf(made)}  ${priceInWords(made.price)}`], notes: [next] }
}

function whatOf({ kind, plan, sources, serverName }: Purchase): string {
  if (kind === 'plan') return `the plan ${plan}`
  return `${countOf(sources ?? 0, 'source')} for ${serverName ?? 'a deleted server'}`
}

const stateOf = ({ state, reason }: Purchase): string => (reason === null ? state : `${state}: ${reason}`)

function priceInWords(price: Price): string {
  if (price === null) return 'by agreement'
  if (price.amount === 0) return 'free'
  return `US$${Number.isInteger(price.amount) ? price.amount : price.amount.toFixed(2)}${price.per === 'month' ? ' a month' : ''}`
}

const amount = (limit: number | null): string => (limit === null ? 'any' : String(limit))
