import type { NetClient, NetRequest } from '#net/client.ts'
import { NetError } from '#net/net-error.ts'
import type { PageReader } from '#readers/page-pool.ts'
import type { LlmsPage } from '#extract/site/llms-full.ts'
import type { PageTask, ProcessedPage } from '#readers/process-page.ts'
import type { Pacer } from '#net/pacing.ts'
import { decodeOutline } from '#search/outline.ts'
import type { SiteRules } from './site-rules.ts'
import { paceRequests } from './pace-requests.ts'

type Deps = { net: Pick<NetClient, 'fetch'>; pages: PageReader; rules: SiteRules; signal: AbortSignal }

export type SiteTexts = ReadonlyMap<string, LlmsPage>

const NO_TEXTS: ReadonlyMap<string, LlmsPage> = new Map()

/** Kept in memory during the crawl. */
const MAX_BYTES = 16 * 1024 * 1024
/** The crawl waits for this file; a slower site is better read page by page. */
const TOTAL_MS = 15_000
/** For fewer pages, fetching is as fast as verifying their texts. */
const LEAST_PAGES = 20

/** Reads page texts from llms-full.txt, by the URLs it names. Empty if this would not save requests. */
export async function fetchSiteTexts(deps: Deps, origin: string): Promise<SiteTexts> {
  const url = new URL('/llms-full.txt', origin).href
  const response = deps.rules.allows(url) ? await tryFetch(deps, url, { maxBytes: MAX_BYTES, totalMs: TOTAL_MS }) : null
  if (response?.status !== 200 || /html/i.test(response.headers['content-type'] ?? '')) return NO_TEXTS
  const task = { list: 'llmsFull', url: response.url, bytes: response.bytes } as const
  const texts = new Map<string, LlmsPage>()
  for (const page of (await deps.pages.readList(task, deps.signal)) ?? []) {
    const address = /\.mdx?$/i.test(new URL(page.url).pathname) ? null : deps.rules.normalize(page.url)
    if (address !== null && page.markdown !== '') texts.set(address, page)
  }
  response.release?.()
  return texts.size < LEAST_PAGES ? NO_TEXTS : texts
}

/** Creates the task for a page whose site gave its text. */
export function textTask(url: string, { title, markdown }: LlmsPage): PageTask {
  return {
    url,
    contentType: 'text/markdown; charset=utf-8',
    bytes: Buffer.from(markdown),
    ...(title === null ? {} : { given: { title, language: null } }),
  }
}

/** Fetches a list that a site need not have. Null if there is no response. */
export async function tryFetch({ net, signal }: Pick<Deps, 'net' | 'signal'>, url: string, request: NetRequest) {
  try {
    return await net.fetch(url, { ...request, signal })
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof NetError) return null
    throw error
  }
}

type TrustDeps = { net: NetClient; pacer: Pacer; pages: PageReader; signal: AbortSignal }

const SAMPLES = 3
/** Milliseconds per sample, while the crawl waits. */
const SAMPLE_MS = 15_000
/** Minimum ratio of text bytes to page bytes: less is a summary or an older page. */
const LEAST_SHARE = 0.7
/** Share of the page's anchors that the text must contain; otherwise citations would point to wrong sections. */
const LEAST_ANCHORS = 0.8

/** Returns the texts if a sample of their pages agrees, otherwise none: some files are summaries or outdated. */
export async function trustSiteTexts(deps: TrustDeps, texts: SiteTexts): Promise<SiteTexts> {
  const all = [...texts]
  const step = Math.max(1, Math.floor(all.length / SAMPLES))
  for (const [url, text] of all.filter((_, index) => index % step === 0).slice(0, SAMPLES)) {
    if (!(await isFaithful(deps, url, text))) return NO_TEXTS
  }
  return texts
}

async function isFaithful(deps: TrustDeps, url: string, text: LlmsPage): Promise<boolean> {
  const processing = deps.pages.process(textTask(url, text), deps.signal)
  const [given, own] = await Promise.all([processing, fetchAndProcess(deps, url)])
  if (given.kind !== 'page' || own?.kind !== 'page' || own.page.noindex) return false
  if (given.page.textBytes < own.page.textBytes * LEAST_SHARE) return false
  const known = new Set(anchorsOf(given))
  const wanted = anchorsOf(own)
  return wanted.filter((anchor) => known.has(anchor)).length >= wanted.length * LEAST_ANCHORS
}

async function fetchAndProcess({ net, pacer, pages, signal }: TrustDeps, url: string) {
  const request = { acceptRedirect: () => false, totalMs: SAMPLE_MS }
  const response = await tryFetch({ net: paceRequests({ net, pacer, signal }), signal }, url, request)
  if (response?.status !== 200) return null
  const contentType = response.headers['content-type'] ?? null
  return pages.process({ url, contentType, bytes: response.bytes }, signal)
}

/** Anchors below the title, which itself needs none. */
function anchorsOf({ outline }: ProcessedPage): string[] {
  const { chunks } = outline === null ? { chunks: [] } : decodeOutline(outline)
  return chunks.flatMap(({ headings, anchor }) => (headings.length > 0 && anchor !== null ? [anchor] : []))
}
