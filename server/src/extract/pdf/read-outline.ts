import type { getDocumentProxy } from 'unpdf'
import type { OutlineEntry } from './pdf-page.ts'

type Document = Awaited<ReturnType<typeof getDocumentProxy>>
type Node = Awaited<ReturnType<Document['getOutline']>>[number]

const MAX_ENTRIES = 5_000
const MAX_DEPTH = 10

/** Reads the outline as a flat list in order. Empty if it is absent or damaged. */
export async function readOutline(document: Document): Promise<OutlineEntry[]> {
  const roots = await document.getOutline().then(
    (outline) => (outline as Node[] | null) ?? [],
    (): Node[] => [],
  )
  const entries: OutlineEntry[] = []
  const add = async (nodes: Node[], level: number): Promise<void> => {
    for (const { title, dest, items } of nodes) {
      if (entries.length >= MAX_ENTRIES) return
      entries.push({ title, level, page: await pageOf(document, dest) })
      if (level < MAX_DEPTH) await add(items, level + 1)
    }
  }
  await add(roots, 0)
  return entries
}

async function pageOf(document: Document, dest: Node['dest']): Promise<number | null> {
  try {
    const place: unknown = typeof dest === 'string' ? await document.getDestination(dest) : dest
    const target: unknown = Array.isArray(place) ? place[0] : null
    if (typeof target === 'number') return target + 1
    if (typeof target !== 'object' || target === null) return null
    return (await document.getPageIndex(target as Parameters<Document['getPageIndex']>[0])) + 1
  } catch {
    // The target page does not exist.
    return null
  }
}
