import { type FairLimiter, createFairLimiter } from '#lib/limits/fair-limiter.ts'
import type { NetClient } from '../client.ts'
import { createAssetCache } from './answer-requests.ts'
import { BrowserError } from './protocol.ts'
import { type Chromium, type ChromiumOptions, startChromium } from './chromium.ts'
import { type IdleTabs, createIdleTabs } from './tabs.ts'
import { type Rendered, renderPage } from './render-page.ts'

/** Renders pages that are empty without JavaScript. */
export type PageRenderer = Pick<ChromiumRenderer, 'render' | typeof Symbol.asyncDispose>

export type RendererOptions = ChromiumOptions & {
  pages?: number
  /** Pages after which a browser is replaced, before its memory grows. */
  pagesPerBrowser?: number
  idleAfterMs?: number
  /** Time for which scripts may block. Default: eight seconds. */
  busyMs?: number
}

const PAGES = 2
const PAGES_PER_BROWSER = 100
const IDLE_AFTER_MS = 20_000
/** After a failed start, the next attempt waits this long rather than repeating for every page of a crawl. */
const START_AGAIN_AFTER_MS = 60_000

type Run = { chromium: Promise<Chromium>; tabs: IdleTabs; pages: number; inHand: number; retired: boolean }

/** Renders pages with Chromium. It starts with the first page, is replaced periodically, and ends when idle. */
export function openRenderer(options: RendererOptions): PageRenderer {
  return new ChromiumRenderer(options)
}

class ChromiumRenderer {
  readonly #options: RendererOptions
  /** Pages get their place in the order of requests. */
  readonly #places: FairLimiter
  readonly #assets = createAssetCache()
  readonly #closed = new AbortController()
  readonly #runs = new Set<Run>()
  #current: Run | null = null
  #idle: NodeJS.Timeout | undefined
  #startFailed: { error: unknown; at: number } | null = null

  constructor(options: RendererOptions) {
    this.#options = options
    const atOnce = options.pages ?? PAGES
    this.#places = createFairLimiter({ atOnce, perKey: atOnce, maxWaiting: Number.POSITIVE_INFINITY })
  }

  /** Renders an allowed address; `net` makes all requests. Throws `BrowserError`, or errors of `net` for the page. */
  async render(url: string, net: Pick<NetClient, 'fetch'>, signal: AbortSignal): Promise<Rendered> {
    const stop = AbortSignal.any([signal, this.#closed.signal])
    const show = () => this.#onCurrent(url, net, stop)
    // A crash takes innocent concurrent pages down, so each page is retried once.
    const showAgain = (error: unknown) => {
      if (!(error instanceof BrowserError) || error.reason !== 'crash') throw error
      return show()
    }
    return this.#places.run('', () => show().catch(showAgain), stop)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#idle)
    this.#closed.abort(new BrowserError('crash', 'The service is ending.'))
    await Promise.all([...this.#runs].map((run) => this.#end(run)))
  }

  async #onCurrent(url: string, net: Pick<NetClient, 'fetch'>, signal: AbortSignal): Promise<Rendered> {
    const { pagesPerBrowser = PAGES_PER_BROWSER, idleAfterMs = IDLE_AFTER_MS, busyMs } = this.#options
    clearTimeout(this.#idle)
    const run = (this.#current ??= this.#start())
    run.inHand++
    if (++run.pages >= pagesPerBrowser) this.#retire(run)
    try {
      const { tabs, chromium } = run
      return await renderPage({ chromium: await chromium, tabs, assets: this.#assets, net, signal, busyMs }, url)
    } catch (error) {
      // Such a page can leave scripts running. For other errors, closing the tab suffices.
      if (error instanceof BrowserError && (error.reason === 'timeout' || error.reason === 'crash')) run.retired = true
      throw error
    } finally {
      run.inHand--
      if (run.retired) this.#retire(run)
      else if (run.inHand === 0) this.#idle = setTimeout(() => this.#retire(run), idleAfterMs).unref()
    }
  }

  #start(): Run {
    const failed = this.#startFailed
    if (failed && performance.now() - failed.at < START_AGAIN_AFTER_MS) throw failed.error
    const chromium = startChromium(this.#options)
    const tabs = createIdleTabs(this.#options.pages ?? PAGES)
    const run: Run = { chromium, tabs, pages: 0, inHand: 0, retired: false }
    this.#runs.add(run)
    chromium.then(
      ({ ended }) => void ended.then(() => this.#retire(run)),
      (error: unknown) => {
        this.#startFailed = { error, at: performance.now() }
        this.#runs.delete(run)
        if (this.#current === run) this.#current = null
      },
    )
    return run
  }

  /** Accepts no further pages. The browser ends with its last page. */
  #retire(run: Run): void {
    run.retired = true
    if (this.#current === run) this.#current = null
    if (run.inHand === 0) void this.#end(run)
  }

  async #end(run: Run): Promise<void> {
    if (!this.#runs.delete(run)) return
    const chromium = await run.chromium.catch(() => null)
    await chromium?.[Symbol.asyncDispose]()
  }
}
