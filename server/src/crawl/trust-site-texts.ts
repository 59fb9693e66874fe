import type { NetClient } from '#net/client.ts'
import { NetError } from '#net/net-error.ts'
import type { Pacer } from '#net/pacing.ts'
import type { PageReader } from '#processes/page-reader.ts'
import { decodeOutline } from '#search/outline.ts'
import type { ProcessedPage } from '#processes/process-page.ts'
import type { LlmsPage } from '#extract/site/llms-full.ts'
import { paceRequests } from './pace-requests.ts'
import { NO_TEXTS, type SiteTexts, textTask } from './site-texts.ts'

type Deps = { net: NetClient; pacer: Pacer; pages: PageReader; signal: AbortSignal }

/** Pages compared with their texts, evenly spaced. */
const SAMPLES = 3
/** Milliseconds per sample, while the crawl waits. */
const SAMPLE_MS = 15_000
/** Minimum ratio of text bytes to page bytes: less is a summary or an older page. */
const LEAST_SHARE = 0.7
/** Share of the page's anchors that the text must contain; otherwise citations would point to wrong sections. */
const LEAST_ANCHORS = 0.8

/**
 * Returns the texts if a sample of their pages agrees; otherwise none, and the site is read page by page. Some sites
 * publish summaries or outdated files, or have anchors that the text lacks.
 */
export async function trustSiteTexts(deps: Deps, texts: SiteTexts): Promise<SiteTexts> {
  const all = [...texts]
  const step = Math.max(1, Math.floor(all.length / SAMPLES))
  for (const [url, text] of all.filter((_, index) => index % step === 0).slice(0, SAMPLES)) {
    if (!(await isFaithful(deps, url, text))) return NO_TEXTS
  }
  return texts
}

async function isFaithful(deps: Deps, url: string, text: LlmsPage): Promise<boolean> {
  const [given, own] = await Promise.all([
    deps.pages.process(textTask(url, text), deps.signal),
    fetchAndProcess(deps, url),
  ])
  if (given.kind !== 'page' || own?.kind !== 'page' || own.page.noindex) return false
  if (given.page.textBytes < own.page.textBytes * LEAST_SHARE) return false
  const known = new Set(anchorsOf(given))
  const wanted = anchorsOf(own)
  return wanted.filter((anchor) => known.has(anchor)).length >= wanted.length * LEAST_ANCHORS
}

async function fetchAndProcess({ net, pacer, pages, signal }: Deps, url: string) {
  try {
    const response = await paceRequests({ net, pacer, signal }).fetch(url, {
      acceptRedirect: () => false,
      totalMs: SAMPLE_MS,
      signal,
    })
    if (response.status !== 200) return null
    const contentType = response.headers['content-type'] ?? null
    return await pages.process({ url, contentType, bytes: response.bytes }, signal)
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof NetError) return null
    throw error
  }
}

/** Anchors below the title, which itself needs none. */
function anchorsOf({ outline }: ProcessedPage): string[] {
  const { chunks } = outline === null ? { chunks: [] } : decodeOutline(outline)
  return chunks.flatMap(({ headings, anchor }) => (headings.length > 0 && anchor !== null ? [anchor] : []))
}
