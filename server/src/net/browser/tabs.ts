import type { PausedRequest, RequestAnswerer } from './answer-requests.ts'
import { BrowserError } from './protocol.ts'
import type { Chromium, Session } from './chromium.ts'

/** A browser tab with separate cookies and storage. It shows one page after another. */
export type Tab = AsyncDisposable & {
  session: Session
  frameId: string
  readonly pages: number
  /** Starts a page: routes its requests, clears cookies and storage. `onFlood`: the browser sends too much for it. */
  begin(answerer: RequestAnswerer, origin: string, onFlood: (error: BrowserError) => void): Promise<void>
}

const MAX_EVENT_BYTES = 32 << 20

const TOO_MUCH = 'It took too much memory, or crashed the process that showed it.'

/** Opens a tab in a separate browser context, which shares no process with other tabs. */
export async function openTab(chromium: Chromium): Promise<Tab> {
  const { browserContextId } = await chromium.send('Target.createBrowserContext', { disposeOnDetach: true })
  const close = async () => {
    // If the browser is gone, so are its tabs.
    const closing = chromium.send('Target.disposeBrowserContext', { browserContextId }).catch(() => undefined)
    await Promise.race([closing, chromium.ended])
  }
  let answerer: RequestAnswerer | null = null
  let flood: (error: BrowserError) => void = () => undefined
  let received = 0
  let pages = 0
  try {
    await chromium.send('Browser.setDownloadBehavior', { behavior: 'deny', browserContextId })
    const { targetId } = await chromium.send('Target.createTarget', { url: 'about:blank', browserContextId })
    const session = await chromium.attach(targetId, ({ method, params, size }) => {
      received += size
      if (received > MAX_EVENT_BYTES) flood(new BrowserError('too_large', 'It sends more than is read of it.'))
      // The renderer was killed for its memory use, or the page crashed it.
      else if (method === 'Inspector.targetCrashed') flood(new BrowserError('too_large', TOO_MUCH))
      else if (method === 'Fetch.requestPaused') answerer?.answer(params as PausedRequest)
      else if (method === 'Page.javascriptDialogOpening') void dismiss((params as { type: string }).type)
    })
    // Accepts "Leave this page?" dialogs and dismisses all others. A closed page has no dialog.
    const dismiss = (type: string) =>
      session.send('Page.handleJavaScriptDialog', { accept: type === 'beforeunload' }).catch(() => undefined)
    await session.send('Page.enable')
    await session.send('Inspector.enable')
    await session.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] })
    return {
      session,
      frameId: targetId,
      get pages() {
        return pages
      },
      async begin(next, origin, onFlood) {
        answerer = next
        flood = onFlood
        received = 0
        if (++pages === 1) return
        await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
        await chromium.send('Storage.clearCookies', { browserContextId })
      },
      async [Symbol.asyncDispose]() {
        await session[Symbol.asyncDispose]()
        await close()
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** A new tab costs six times as much CPU as a page. */
export type IdleTabs = ReturnType<typeof createIdleTabs>

/** Pages per tab, before its memory grows. */
const PAGES_PER_TAB = 25

/** Keeps at most `most` tabs, each for one origin. The longest idle tab is closed first. */
export function createIdleTabs(most: number) {
  const waiting: { origin: string; tab: Tab }[] = []
  return {
    take(origin: string): Tab | null {
      const at = waiting.findIndex((one) => one.origin === origin)
      return waiting.splice(at, at < 0 ? 0 : 1)[0]?.tab ?? null
    },
    give(origin: string, tab: Tab): void {
      if (tab.pages < PAGES_PER_TAB) waiting.push({ origin, tab })
      const unwanted = tab.pages < PAGES_PER_TAB ? (waiting.length > most ? waiting.shift()?.tab : undefined) : tab
      if (unwanted) void unwanted[Symbol.asyncDispose]()
    },
  }
}
