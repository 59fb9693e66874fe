import type { PageRenderer } from '#net/browser/open-renderer.ts'
import type { RobotsCache } from '#net/robots.ts'
import { BudgetExhausted } from '#crawl/crawl-budget.ts'
import { listToGo } from '#store/pages/pages.ts'
import { updateSourceRow } from '#store/sources/sources.ts'
import { crawlSite, openFrontier } from '#crawl/crawl-site.ts'
import { createHashRouting } from '#crawl/scripted-pages.ts'
import { createSimilarPages } from '#crawl/similar-pages.ts'
import { collectNavigation, saveNavigation } from '#crawl/found-links.ts'
import { openSite } from '#crawl/open-site.ts'
import { createAdaptiveTimeouts } from '#crawl/pace-requests.ts'
import { createRedirectTargets } from '#crawl/fetch-page.ts'
import { trustSiteTexts } from '#crawl/site-texts.ts'
import type { IngestDocumentsDeps } from './ingest-documents.ts'
import type { OpenCrawl } from './open-crawls.ts'
import type { PublishPace } from './start-publishing.ts'

type IngestSiteDeps = Omit<IngestDocumentsDeps, 'reader' | 'memory' | 'onFault'> & {
  robots: RobotsCache
  /** Renders pages that are empty without JavaScript; null if no browser is installed. */
  renderer: PageRenderer | null
  notRendered?: string | undefined
  /** A refresh that nobody asked for. */
  isScheduled: boolean
  /** The site has answered: from now on, its pages are read. */
  onAnswer: () => void
  /** Aborts at the end of the time slice. */
  sliceOver: AbortSignal
}

/** Known pages whose addresses are compared at the start, about as many as the crawl remembers of each kind. */
const KNOWN_PAGES = 5_000

/** Opens a site crawl, or resumes one of which only the stored state is left. */
async function openCrawl(
  { source, crawlStore, ...deps }: IngestSiteDeps,
  publishPace: PublishPace,
): Promise<OpenCrawl> {
  const site = await openSite(deps, source)
  // The addresses of the last crawl tell versions and translations before the first page is read.
  const known = { sourceId: source.id, run: deps.run, afterId: 0, limit: KNOWN_PAGES }
  for (const { url } of await listToGo(deps.store.read, known)) site.rules.normalize(url)
  const others = site.otherStarts.map((url) => ({ url, depth: 1 }))
  await crawlStore.discover([{ url: site.startUrl, depth: 0 }, ...others])
  const similarPages = createSimilarPages()
  const texts = await trustSiteTexts(deps, await site.texts())
  similarPages.list(texts.keys())
  await crawlStore.discover([...texts.keys()].map((url) => ({ url, depth: 1 })))
  return {
    site,
    texts,
    publishPace,
    timeouts: createAdaptiveTimeouts(),
    similarPages,
    redirectTargets: createRedirectTargets(),
    streak: { failures: 0 },
    tries: new Map(),
    openedAt: performance.now(),
  }
}

/**
 * Crawls a site until it is settled, the budget is used up, or the time slice ends. Skips the remaining pages if the
 * budget is used up. Returns the crawl if it must continue in another slice, else null.
 */
export async function ingestSite(
  crawl: IngestSiteDeps,
  open: OpenCrawl | null,
  pace: PublishPace,
): Promise<OpenCrawl | null> {
  let opened = open
  let isWhole = true
  try {
    opened ??= await openCrawl(crawl, pace)
    crawl.onAnswer()
    isWhole = await crawlPages(crawl, opened)
  } catch (error) {
    if (!(error instanceof BudgetExhausted)) throw error
  }
  const exhausted = crawl.budget.exhausted()
  if (exhausted) await crawl.crawlStore.leaveRest(exhausted)
  return exhausted || isWhole ? null : opened
}

/** Crawls until all pages are settled or the time slice ends. Returns whether all are settled. */
async function crawlPages(
  { source, run, crawlStore, ...deps }: IngestSiteDeps,
  { site, ...open }: OpenCrawl,
): Promise<boolean> {
  const isRefresh = source.lastIndexedAt !== null
  const isUrgent = isRefresh ? site.dates.hasNews : null
  const frontier = openFrontier({ db: deps.store.read, sourceId: source.id, run, crawlStore, isUrgent })
  const navigation = collectNavigation()
  const { net, pages, signal, sliceOver } = deps
  const discover = () =>
    site.discover({ net, pages, signal, over: sliceOver, isFull: () => crawlStore.isFull() }, async (urls) => {
      open.similarPages.list(urls)
      await crawlStore.discover(urls.map((url) => ({ url, depth: 1 })))
      frontier.added()
    })
  const crawl = {
    ...deps,
    ...open,
    rules: site.rules,
    dates: site.dates,
    isRefresh,
    navigation,
    hashRouting: createHashRouting(),
    crawlStore,
  }
  const isWhole = await crawlSite({ ...crawl, frontier, discover })
  if (isWhole) await crawlStore.settleDuplicates()
  await saveNavigation(deps.store, source.id, navigation)
  if (isWhole) await updateSourceRow(deps.store.write, source.id, { refreshState: JSON.stringify(site.dates.state) })
  return isWhole
}
