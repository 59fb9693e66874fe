import type { Output } from '@docent/sdk'
import { EXIT } from '../exit-codes.ts'
import {
  type ClientCommand,
  type Shown,
  argumentOf,
  given,
  listOf,
  numberOf,
  optionOf,
  switchOf,
} from './client-command.ts'

type Webhook = Output<'webhooks.list'>['webhooks'][number]
type Delivery = Output<'webhooks.resend'>

const WEBHOOK = ['<webhook>', 'id of the webhook'] as const
/** Events of the contract. Loading it would slow down every command. */
const EVENTS = ['server.indexed', 'server.failed', 'limit.reached', 'purchase.requested'] as const
type Event = (typeof EVENTS)[number]

export const WEBHOOK_COMMANDS: readonly ClientCommand[] = [
  {
    name: 'webhooks list',
    about: 'List the webhooks of the account.',
    async run(client) {
      const answer = await client.webhooks.list()
      if (answer.webhooks.length === 0) return { json: answer, notes: ['The account has no webhooks.'] }
      const rows = answer.webhooks.map((each) => [
        each.id,
        stateOf(each),
        String(each.waiting),
        each.events.join(','),
        each.url,
        each.name,
      ])
      return { json: answer, table: [['webhook', 'state', 'waiting', 'events', 'address', 'name'], ...rows] }
    },
  },
  {
    name: 'webhooks create',
    about: 'Create a webhook, and print its secret, this once, on standard output.',
    arguments: [
      ['<url>', 'address that gets the events'],
      ['<event...>', 'events that it gets; the last one is for operators', EVENTS],
    ],
    options: [['--name <text>', 'what it is for']],
    async run(client, [url = '', ...events], options) {
      const name = optionOf(options, 'name')
      const made = await client.webhooks.create({ url, events: events as Event[], ...given({ name }) })
      return {
        json: made,
        lines: [made.secret],
        notes: [`The webhook is ${made.id}. Send a test: docent webhooks test ${made.id}`],
      }
    },
  },
  {
    name: 'webhooks change',
    about: 'Change a webhook, or switch it on or off.',
    arguments: [WEBHOOK],
    options: [
      ['--url <url>', 'address that gets the events'],
      ['--events <names>', 'all events that it gets, with commas between them'],
      ['--name <text>', 'what it is for'],
      ['--on', 'events are sent'],
      ['--off', 'no events are sent; ends its waiting deliveries'],
    ],
    async run(client, args, options) {
      const [url, name] = [optionOf(options, 'url'), optionOf(options, 'name')]
      const events = listOf(options, 'events') as Event[] | undefined
      const change = given({ url, name, events, enabled: switchOf(options) })
      const webhook = await client.webhooks.update({ webhookId: argumentOf(args, 0), ...change })
      return {
        json: webhook,
        lines: [`${webhook.id}  ${stateOf(webhook)}  ${webhook.events.join(',')}  ${webhook.url}`],
      }
    },
  },
  {
    name: 'webhooks rotate',
    about: 'Replace the secret of a webhook, and print the new one, this once, on standard output.',
    arguments: [WEBHOOK],
    options: [['--overlap <hours>', 'how long the old secret also signs, 0 to 168 (default: 24)']],
    async run(client, args, options) {
      const overlapHours = numberOf(options, 'overlap')
      const answer = await client.webhooks.rotate({ webhookId: argumentOf(args, 0), ...given({ overlapHours }) })
      const { secret, previousSecretUntil: until } = answer
      const note = until === null ? 'The old secret signs no more.' : `The old secret also signs until ${until}.`
      return { json: answer, lines: [secret], notes: [note] }
    },
  },
  {
    name: 'webhooks test',
    about: 'Send a test event, and show what the receiver answers.',
    arguments: [WEBHOOK],
    run: async (client, args) => showSent(await client.webhooks.test({ webhookId: argumentOf(args, 0) })),
  },
  {
    name: 'webhooks deliveries',
    about: 'List the last deliveries of a webhook, newest first.',
    arguments: [WEBHOOK],
    async run(client, args) {
      const answer = await client.webhooks.deliveries({ webhookId: argumentOf(args, 0) })
      if (answer.deliveries.length === 0) return { json: answer, notes: ['Nothing was sent yet.'] }
      const rows = answer.deliveries.map((each) => [
        each.id,
        each.createdAt,
        each.type,
        each.state,
        String(each.attempts.length),
        resultOf(each),
      ])
      return { json: answer, table: [['delivery', 'time', 'event', 'state', 'attempts', 'last result'], ...rows] }
    },
  },
  {
    name: 'webhooks resend',
    about: 'Send an event again, and show what the receiver answers.',
    arguments: [WEBHOOK, ['<delivery>', 'id of the delivery']],
    run: async (client, args) =>
      showSent(await client.webhooks.resend({ webhookId: argumentOf(args, 0), deliveryId: argumentOf(args, 1) })),
  },
  {
    name: 'webhooks delete',
    about: 'Delete a webhook with its waiting deliveries and its log.',
    arguments: [WEBHOOK],
    destroys: 'the webhook {0}, with its waiting deliveries and its log',
    async run(client, args) {
      const answer = await client.webhooks.delete({ webhookId: argumentOf(args, 0) })
      return { json: answer, lines: ['The webhook is deleted.'] }
    },
  },
]

const stateOf = ({ enabled, failingSince }: Webhook): string =>
  enabled ? (failingSince === null ? 'on' : 'failing') : 'off'

function resultOf({ attempts, nextAttemptAt }: Delivery): string {
  const last = attempts.at(-1)
  if (!last) return nextAttemptAt === null ? 'not sent: the webhook was switched off' : 'not sent yet'
  return last.error ?? `${last.status} after ${last.durationMs} ms`
}

/** The result of one attempt. A failure is one of the command too. */
function showSent(delivery: Delivery): Shown {
  const { id, state, nextAttemptAt } = delivery
  const next = nextAttemptAt === null ? [] : [`The next attempt is at ${nextAttemptAt}.`]
  return {
    json: delivery,
    lines: [`${id}  ${state}  ${resultOf(delivery)}`],
    notes: next,
    ...(state === 'delivered' ? {} : { exitCode: EXIT.error }),
  }
}
