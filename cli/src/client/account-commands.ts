import type { ClientCommand } from './client-command.ts'

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
]
