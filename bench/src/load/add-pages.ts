import type { Store } from '@docent/server/store/db.ts'
import { insertDiscovered } from '@docent/server/store/pages/pages.ts'
import { insertText } from '@docent/server/store/pages/texts.ts'
import type { GeneratedPage } from '#lib/generated-site.ts'

/** Adds generated pages to a source, as if they had been read and published. */
export async function addPages(
  { transaction }: Store,
  sourceId: string,
  pages: readonly GeneratedPage[],
): Promise<void> {
  await transaction(async (tx) => {
    await insertDiscovered(
      tx,
      sourceId,
      pages.map(({ page }) => ({ url: page.url, depth: 1 })),
    )
    for (const { page, compressed } of pages) {
      const text = { markdown: compressed, outline: new Uint8Array(), size: compressed.byteLength }
      await insertText(tx, sourceId, { hash: page.textHash, ...text })
      await tx
        .updateTable('pages')
        .set({ state: 'indexed', published: 1, chunks: page.chunks.length, title: page.title, textHash: page.textHash })
        .where('sourceId', '=', sourceId)
        .where('url', '=', page.url)
        .execute()
    }
  })
}
