import { readFileSync } from 'node:fs'
import { dataAt, isBundle } from '#lib/place.ts'
import manifest from '../package.json' with { type: 'json' }

/** Version of the service, from its package. */
export const VERSION = manifest.version

/** Commit and time of the bundle, as `scripts/bundle.mjs` writes them. Both null from source. */
export const BUILD = isBundle
  ? (JSON.parse(readFileSync(dataAt('build.json'), 'utf8')) as { commit: string | null; builtAt: string })
  : { commit: null, builtAt: null }

/** The crawler's User-Agent: the product token for robots.txt first, then a link to the page for site owners. */
export function userAgent(publicUrl?: string | null): string {
  const more = publicUrl ? `; +${publicUrl.replace(/\/$/, '')}/docs/crawler` : ''
  return `Docent/${VERSION} (documentation indexer${more})`
}
