import type { Engine } from '../database/engines.ts'
import { keepOpen } from '../lib/keep-open.ts'
import { page, startSite } from '../sites/site.ts'
import { configureWidget } from './configure-widget.ts'
import { portalOf } from './developer-portal.ts'
import { startDocent } from './harness.ts'

export type EmbedWorld = Awaited<ReturnType<typeof startEmbedWorld>>

/**
 * A service with a public server about otters and a private one about badgers, and the developer whose widgets ask them,
 * until the tests of the suite have ended.
 */
export async function startEmbedWorld(engine: Engine) {
  const site = await keepOpen(
    startSite({
      '/otters/': page('Otters', 'Seven otters share a raft. A raft of otters floats in the kelp.'),
      '/badgers/': page('Badgers', 'Nine badgers share a sett. A sett of badgers is under the hill.'),
    }),
  )
  const docent = await keepOpen(startDocent({ engine, environment: { DOCENT_SECRET_KEY: 'k'.repeat(32) } }))
  const owner = await portalOf(docent, 'owner')
  const create = (name: string, visibility: string): Promise<{ serverId: string; slug: string }> =>
    docent.createServer({ name, visibility, sources: [{ url: `${site.url}/${name}/` }] })
  const mint = async (endUserId?: string): Promise<string> => {
    const made = { clientId: owner.clientId, endUserId }
    const { body } = await docent.request('POST', '/api/attribution/token', made, { key: owner.clientSecret })
    return body.token
  }
  return {
    site,
    docent,
    owner,
    guide: await create('otters', 'public'),
    secret: await create('badgers', 'private'),
    /** A new configuration; of the developer, unless the client secret `key` is that of another. */
    configure: (settings: object = {}, { key = owner.clientSecret } = {}) => configureWidget(docent, key, settings),
    /** A new attribution token of the developer. */
    mint,
  }
}

/** The setting `sources` of a configuration that asks these servers. */
export const sourcesOf = (...ids: string[]): string =>
  JSON.stringify(ids.map((serverId) => ({ type: 'docs', enabled: true, serverId })))
