import type { NetClient } from '../client.ts'
import { createAssetCache } from './asset-cache.ts'
import { BrowserError } from './browser-error.ts'
import { type Chromium, type ChromiumOptions, startChromium } from './chromium.ts'
import { type IdleTabs, createIdleTabs } from './idle-tabs.ts'
import { type Rendered, renderPage } from './render-page.ts'

/** Renders pages that are empty without JavaScript. */
export type PageRenderer = AsyncDisposable & {
  /**
   * Renders the page at an address that robots.txt allows, after its scripts have run. All its requests go through
   * `net`. Throws `BrowserError`, or the errors of `net` for the address itself.
   */
  render(url: string, net: Pick<NetClient, 'fetch'>, signal: AbortSignal): Promise<Rendered>
}

export type RendererOptions = ChromiumOptions & {
  /** Concurrent pages. */
  pages?: number
  /** Pages after which a browser is replaced, before its memory grows. */
  pagesPerBrowser?: number
  /** Idle milliseconds after which the browser ends. */
  idleAfterMs?: number
}

const PAGES = 2
const PAGES_PER_BROWSER = 100
const IDLE_AFTER_MS = 20_000
/** After a failed start, the next attempt waits this long rather than repeating for every page of a crawl. */
const START_AGAIN_AFTER_MS = 60_000

/** One Chromium process with its current pages. */
type Run = { chromium: Promise<Chromium>; tabs: IdleTabs; pages: number; inHand: number; retired: boolean }

/**
 * Renders pages with Chromium. The process starts with the first page, is replaced periodically, and ends when idle.
 */
export function openRenderer(options: RendererOptions): PageRenderer {
  const { pages = PAGES, pagesPerBrowser = PAGES_PER_BROWSER, idleAfterMs = IDLE_AFTER_MS } = options
  const assets = createAssetCache()
  const closed = new AbortController()
  const waiting: (() => void)[] = []
  const runs = new Set<Run>()
  let free = pages
  let current: Run | null = null
  let idle: NodeJS.Timeout | undefined
  let startFailed: { error: unknown; at: number } | null = null

  const take = async (signal: AbortSignal) => {
    if (free > 0) {
      free--
      return
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const stop = () => {
      waiting.splice(waiting.indexOf(resolve), 1)
      reject(signal.reason)
    }
    waiting.push(resolve)
    signal.addEventListener('abort', stop, { once: true })
    await promise.finally(() => signal.removeEventListener('abort', stop))
  }
  const give = () => {
    const next = waiting.shift()
    if (next) next()
    else free++
  }

  const start = (): Run => {
    if (startFailed && performance.now() - startFailed.at < START_AGAIN_AFTER_MS) throw startFailed.error
    const run: Run = {
      chromium: startChromium(options),
      tabs: createIdleTabs(pages),
      pages: 0,
      inHand: 0,
      retired: false,
    }
    runs.add(run)
    run.chromium.then(
      ({ ended }) => void ended.then(() => retire(run)),
      (error: unknown) => {
        startFailed = { error, at: performance.now() }
        runs.delete(run)
        if (current === run) current = null
      },
    )
    return run
  }

  /** Accepts no further pages. The browser ends with its last page. */
  const retire = (run: Run) => {
    run.retired = true
    if (current === run) current = null
    if (run.inHand === 0) void end(run)
  }
  const end = async (run: Run) => {
    if (!runs.delete(run)) return
    const chromium = await run.chromium.catch(() => null)
    await chromium?.[Symbol.asyncDispose]()
  }

  const onCurrent = async (url: string, net: Pick<NetClient, 'fetch'>, signal: AbortSignal): Promise<Rendered> => {
    clearTimeout(idle)
    const run = (current ??= start())
    run.inHand++
    if (++run.pages >= pagesPerBrowser) retire(run)
    try {
      return await renderPage({ chromium: await run.chromium, tabs: run.tabs, assets, net, signal }, url)
    } catch (error) {
      // Such a page can leave scripts running. For other errors, closing the tab suffices.
      if (error instanceof BrowserError && (error.reason === 'timeout' || error.reason === 'crash')) run.retired = true
      throw error
    } finally {
      run.inHand--
      if (run.retired) retire(run)
      else if (run.inHand === 0) idle = setTimeout(() => retire(run), idleAfterMs).unref()
    }
  }

  return {
    async render(url, net, signal) {
      const stop = AbortSignal.any([signal, closed.signal])
      stop.throwIfAborted()
      await take(stop)
      try {
        return await onCurrent(url, net, stop)
      } catch (error) {
        // A crash takes innocent concurrent pages down, so each page is retried once.
        if (!(error instanceof BrowserError) || error.reason !== 'crash') throw error
        return await onCurrent(url, net, stop)
      } finally {
        give()
      }
    },
    async [Symbol.asyncDispose]() {
      clearTimeout(idle)
      closed.abort(new BrowserError('crash', 'The service is ending.'))
      await Promise.all([...runs].map(end))
    },
  }
}
