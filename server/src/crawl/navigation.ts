import type { Store } from '#store/db.ts'
import { listNavigationTexts, saveNavigationTexts } from '#store/pages/anchor-texts.ts'
import type { PageLink } from '#extract/extracted-page.ts'
import { tellingText } from './link-texts.ts'

/** Names kept per page: navigation uses the same one nearly everywhere. */
const MAX_NAMES = 3

/** Collects the names that a site's navigation gives to its pages. */
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
 * Saves the collected names. A refresh sees the navigation of few pages only, so stored names stay while one of them is
 * still in use.
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
