import type { DocentClient } from '@docent/sdk'
import { loadClientConfig } from '@docent/server/config.ts'
import { openClient } from '../open-client.ts'
import { readProfiles } from '../profiles/profiles-file.ts'
import { selectInstance } from '../profiles/select-instance.ts'
import type { Terminal } from '../terminal.ts'
import type { Candidate, Lookup, LookupKind } from './find-candidates.ts'

/** A shell that waits longer for its candidates feels broken. */
const LONGEST_MS = 1_500

/** Values of the account: slugs of its servers, ids of webhooks and open requests; and names of the stored sign-ins. */
export const lookUpFor =
  (terminal: Pick<Terminal, 'environment'>): Lookup =>
  async (kind, profile) => {
    if (kind === 'profile') {
      const { profiles } = readProfiles(loadClientConfig(terminal.environment).configDir)
      return Object.entries(profiles).map(([word, { url }]): Candidate => ({ word, about: url }))
    }
    const { url, apiKey } = selectInstance(terminal, profile)
    if (apiKey === null) return []
    const client = openClient({ url, apiKey }, { retries: 0 })
    return FINDERS[kind](client, { signal: AbortSignal.timeout(LONGEST_MS) })
  }

type Finder = (client: DocentClient, options: { signal: AbortSignal }) => Promise<readonly Candidate[]>

const FINDERS: Record<Exclude<LookupKind, 'profile'>, Finder> = {
  async server(client, options) {
    const servers = await client.servers.list({}, options)
    return servers.map(({ slug, name }) => ({ word: slug, about: name }))
  },
  async webhook(client, options) {
    const { webhooks } = await client.webhooks.list({}, options)
    return webhooks.map(({ id, url, name }) => ({ word: id, about: name || url }))
  },
  async purchase(client, options) {
    const { purchases } = await client.purchases.list({}, options)
    return purchases.filter(({ state }) => state === 'requested').map(requestCandidate)
  },
  async request(client, options) {
    const { purchases } = await client.purchases.listAll({ state: 'requested' }, options)
    return purchases.map((each) => ({ ...requestCandidate(each), about: each.account.email }))
  },
}

type Request = { id: string; plan: string | null; serverName: string | null }

const requestCandidate = ({ id, plan, serverName }: Request): Candidate => ({
  word: id,
  about: plan === null ? `sources for ${serverName ?? 'a deleted server'}` : `the plan ${plan}`,
})
