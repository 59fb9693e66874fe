import type { Engine } from '../database/engines.ts'
import { startDocent } from './harness.ts'
import { page, startSite } from '../sites/site.ts'

/** A site of two pages, and a service with the key of a guest on the free plan. `about` is the text of the first page. */
export async function startSprocketDocs(engine: Engine, about: string) {
  const site = await startSite({
    '/': page('Sprockets', about),
    '/gears/': page('Gears', 'Gears are made of brass and turn to the left.'),
    '/robots.txt': '',
  })
  const docent = await startDocent({ engine, plan: 'free', environment: { DOCENT_RATE_LIMITS: 'off' } })
  return { site, docent, key: await docent.makeKey('guest@example.test') }
}
