import type { Answerer, PausedRequest } from './answer-requests.ts'
import { BrowserError } from './browser-error.ts'
import type { Chromium, Session } from './chromium.ts'

/** One tab of the browser, without cookies or storage of any other. It shows one page after another. */
export type Tab = AsyncDisposable & {
  session: Session
  /** Of the page itself, as opposed to frames in it. */
  frameId: string
  /** Pages that it was used for. */
  readonly pages: number
  /**
   * From now on the requests of the page are for this answerer, and nothing is left of the page before: no cookies, no
   * storage. `onFlood` is told when the page makes the browser send too much.
   */
  begin(answerer: Answerer, origin: string, onFlood: (error: BrowserError) => void): Promise<void>
}

/** Bytes that the browser may send us on behalf of one page. */
const MAX_EVENT_BYTES = 32 << 20

const TOO_MUCH = 'It took too much memory, or crashed the process that showed it.'

/** Opens a tab in a context of its own: a process of the browser that shares nothing with those of other tabs. */
export async function openTab(chromium: Chromium): Promise<Tab> {
  const { browserContextId } = await chromium.send('Target.createBrowserContext', { disposeOnDetach: true })
  const close = async () => {
    // A browser that is gone has no tabs either.
    const closing = chromium.send('Target.disposeBrowserContext', { browserContextId }).catch(() => undefined)
    await Promise.race([closing, chromium.ended])
  }
  let answerer: Answerer | null = null
  let flood: (error: BrowserError) => void = () => undefined
  let received = 0
  let pages = 0
  try {
    await chromium.send('Browser.setDownloadBehavior', { behavior: 'deny', browserContextId })
    const { targetId } = await chromium.send('Target.createTarget', { url: 'about:blank', browserContextId })
    const session = await chromium.attach(targetId, ({ method, params, size }) => {
      received += size
      if (received > MAX_EVENT_BYTES) flood(new BrowserError('too_large', 'It sends more than is read of it.'))
      // Its process ends where the browser takes too much memory, or where a page crashes it.
      else if (method === 'Inspector.targetCrashed') flood(new BrowserError('too_large', TOO_MUCH))
      else if (method === 'Fetch.requestPaused') answerer?.answer(params as PausedRequest)
      else if (method === 'Page.javascriptDialogOpening') void dismiss((params as { type: string }).type)
    })
    // "Leave this page?" is answered with yes, all others with no. A page that is gone has no dialog any more.
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
