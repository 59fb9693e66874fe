import type { Engine } from '../database/engines.ts'
import { disposeAll } from '../lib/keep-open.ts'
import { type Site, startSite } from '../sites/site.ts'
import { type Docent, startDocent } from './harness.ts'

export type WidgetWorld = AsyncDisposable & { site: Site; docent: Docent; slug: string; serverId: string }

/** A service with an indexed server over the pages of one site. Its searches are not limited. */
export async function startWidgetWorld(engine: Engine, pages: Parameters<typeof startSite>[0]): Promise<WidgetWorld> {
  const site = await startSite(pages)
  const docent = await startDocent({ engine, environment: { DOCENT_RATE_LIMITS: 'off' } })
  const { slug, serverId } = await docent.createServer({
    name: 'Widgets',
    sources: [{ url: `${site.url}/` }],
    tools: ['search_docs', 'ask_question', 'get_code_examples'],
  })
  return { site, docent, slug, serverId, [Symbol.asyncDispose]: () => disposeAll(docent, site) }
}
