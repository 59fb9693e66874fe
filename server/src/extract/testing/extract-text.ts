import { extractPage } from '../extract-page.ts'
import type { ExtractedPage } from '../extracted-page.ts'

const PAGE_URL = 'https://docs.example/guide/page'

export const extractText = (text: string | Uint8Array, contentType: string | null = 'text/html', url = PAGE_URL) =>
  extractPage({ url, contentType, bytes: typeof text === 'string' ? Buffer.from(text) : text })

/** The page of a text. Throws the reason of a rejection. */
export function pageOf(text: string | Uint8Array, contentType?: string | null, url?: string): ExtractedPage {
  const page = extractText(text, contentType, url)
  if (page.kind === 'rejected') throw new Error(`${page.reason}: ${page.detail}`)
  return page
}
