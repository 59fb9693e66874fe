import type { Store } from '#store/db.ts'
import { listNavigationTexts, saveNavigationTexts } from '#store/anchor-texts.ts'
import type { PageLink } from './extract/extracted-page.ts'
import { tellingText } from './link-texts.ts'

/** Names that are kept for a page: navigation calls it the same everywhere, or nearly so. */
const MAX_NAMES = 3

/** Collects what the navigation of a site's pages calls each of them. */
export function collectNavigation() {
  const texts = new Map<string, string[]>()
  return {
    texts: texts as ReadonlyMap<string, string[]>,
    note(links: Iterable<PageLink>): void {
      for (const { url, text, inContent } of links) {
        if (inContent) continue
        const known = texts.get(url)
        if (known !== undefined && (known.length >= MAX_NAMES || known.includes(text))) continue
        const telling = tellingText(text)
        if (telling === null || known?.includes(telling)) continue
        if (known) known.push(telling)
        else texts.set(url, [telling])
      }
    },
  }
}

export type Navigation = ReturnType<typeof collectNavigation>

/**
 * Keeps what was collected. A refresh sees the navigation of a few pages only, so that names stay as long as one of them
 * is still in use.
 */
export async function saveNavigation({ read, write }: Store, sourceId: string, { texts }: Navigation): Promise<void> {
  if (texts.size === 0) return
  const changed: [url: string, anchorTexts: string][] = []
  for (const { url, anchorTexts } of await listNavigationTexts(read, sourceId)) {
    const names = texts.get(url)
    const known = JSON.parse(anchorTexts ?? '[]') as string[]
    if (names && !names.some((name) => known.includes(name))) changed.push([url, JSON.stringify(names)])
  }
  await saveNavigationTexts(write, sourceId, changed)
}
