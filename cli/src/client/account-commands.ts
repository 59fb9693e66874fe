import type { Output } from '@docent/sdk'
import { type ClientCommand, type Shown, given, numberOf } from './client-command.ts'

type CallerLimits = Output<'account.callerLimits'>

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
