import { PLAN_NAMES, type PlanName } from '@docent/contract/operations/purchases'
import type { Output } from '@docent/sdk'
import { type ClientCommand, type Shown, argumentOf, given, numberOf, optionOf } from './client-command.ts'

type CallerLimits = Output<'account.callerLimits'>

const ACCOUNT = ['<account>', 'id of the account'] as const

export const ACCOUNT_COMMANDS: readonly ClientCommand[] = [
  {
    name: 'whoami',
    about: 'Show which service and account commands use.',
    async run(client, _args, _options, { instance: { url, profile, email } }) {
      const { plan, key } = await client.account.entitlements()
      // Only keys of the whole account may read its name.
      const account = key.scope === 'account' ? (await client.sessions.list()).account : null
      const json = { url, profile, email: account?.email ?? email, plan, scope: key.scope, serverIds: key.serverIds }
      const scope = key.serverIds === null ? 'all servers' : `only the servers ${key.serverIds.join(', ')}`
      return {
        json,
        lines: [
          `account  ${json.email ?? 'not shown to a key for some servers'}`,
          `service  ${url}`,
          `profile  ${profile ?? 'none: DOCENT_API_KEY'}`,
          `plan     ${plan}`,
          `key      ${scope}`,
        ],
      }
    },
  },
  {
    name: 'limits get',
    about: 'Show the limits of callers without a token.',
    run: async (client) => showLimits(await client.account.callerLimits()),
  },
  {
    name: 'limits set',
    about: 'Change the limits of callers without a token. 0 is no limit.',
    options: [
      ['--reserved <percent>', 'part of the monthly calls for callers with a token'],
      ['--day <calls>', 'calls of all others in a day'],
      ['--network <calls>', 'calls of one network in a day'],
    ],
    async run(client, _args, options) {
      const changes = {
        reservedPercent: numberOf(options, 'reserved'),
        anonymousPerDay: numberOf(options, 'day'),
        anonymousPerNetworkPerDay: numberOf(options, 'network'),
      }
      return showLimits(await client.account.changeCallerLimits(given(changes)))
    },
  },
  {
    name: 'accounts list',
    about: 'List the accounts of the instance, newest first, for the operator.',
    options: [
      ['--email <text>', 'only those whose address contains this'],
      ['--page <number>', 'page of the list'],
    ],
    async run(client, _args, options) {
      const wanted = given({ email: optionOf(options, 'email'), page: numberOf(options, 'page') })
      const answer = await client.instance.accounts(wanted)
      const rows = answer.accounts.map(({ id, email, plan, disabledAt }) => [id, email, plan, disabledAt ?? 'on'])
      return { json: answer, table: [['account', 'address', 'plan', 'switched off'], ...rows] }
    },
  },
  {
    name: 'accounts invite',
    about: 'Make an account, and print the link for its owner, this once, on standard output.',
    arguments: [['<email>', 'address of the person']],
    options: [['--plan <plan>', 'plan of the account', PLAN_NAMES]],
    async run(client, args, options) {
      const plan = optionOf(options, 'plan') as PlanName | undefined
      const answer = await client.instance.inviteAccount({ email: argumentOf(args, 0), ...given({ plan }) })
      return { json: answer, lines: [answer.link] }
    },
  },
  {
    name: 'accounts reset',
    about: 'Reset the password of the owner of an account, and print the link for a new one.',
    arguments: [ACCOUNT],
    destroys: 'the password of the owner of {0}',
    async run(client, args) {
      const answer = await client.instance.resetAccount({ accountId: argumentOf(args, 0) })
      return { json: answer, lines: [answer.link] }
    },
  },
  {
    name: 'accounts disable',
    about: 'Switch an account off: its keys, sessions and servers are refused.',
    arguments: [ACCOUNT],
    destroys: 'the access of {0}',
    async run(client, args) {
      const answer = await client.instance.switchAccount({ accountId: argumentOf(args, 0), disabled: true })
      return { json: answer, lines: [`The account ${answer.email} is switched off.`] }
    },
  },
  {
    name: 'accounts enable',
    about: 'Switch an account on again.',
    arguments: [ACCOUNT],
    async run(client, args) {
      const answer = await client.instance.switchAccount({ accountId: argumentOf(args, 0), disabled: false })
      return { json: answer, lines: [`The account ${answer.email} is switched on.`] }
    },
  },
]

function showLimits(limits: CallerLimits): Shown {
  const { reservedPercent, anonymousPerDay, anonymousPerNetworkPerDay, anonymousThisMonth, anonymousToday } = limits
  const used = (of: CallerLimits['anonymousToday']) => (of ? `${of.used} of ${of.limit}` : '-')
  const perDay = (calls: number) => (calls === 0 ? 'no limit' : `${calls} in a day`)
  const table = [
    ['limit of callers without a token', 'set', 'used'],
    ['calls of the month', `${reservedPercent}% reserved`, used(anonymousThisMonth)],
    ['calls of a day', perDay(anonymousPerDay), used(anonymousToday)],
    ['calls of one network', perDay(anonymousPerNetworkPerDay), '-'],
  ]
  return { json: limits, table }
}
