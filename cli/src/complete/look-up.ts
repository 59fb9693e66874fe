import { loadClientConfig } from '@docent/server/config.ts'
import { createDocentClient } from '@docent/sdk'
import { readProfiles } from '../profiles/profiles-file.ts'
import { selectInstance } from '../profiles/select-instance.ts'
import type { Candidate, Lookup } from './find-candidates.ts'

/** A shell that waits longer for its candidates feels broken. */
const LONGEST_MS = 1_500

/** Slugs of the account's servers, and names of the stored sign-ins. */
export const lookUp: Lookup = async (kind, profile) => {
  if (kind === 'profile') {
    const { profiles } = readProfiles(loadClientConfig().configDir)
    return Object.entries(profiles).map(([word, { url }]): Candidate => ({ word, about: url }))
  }
  const { url, apiKey } = selectInstance(profile)
  if (apiKey === null) return []
  const client = createDocentClient({ baseUrl: url, apiKey, retries: 0 })
  const servers = await client.servers.list({}, { signal: AbortSignal.timeout(LONGEST_MS) })
  return servers.map(({ slug, name }): Candidate => ({ word: slug, about: name }))
}
