import { setTimeout as sleep } from 'node:timers/promises'
import type { NetClient } from '../client.ts'
import { startDeadline } from '../deadline.ts'
import { NetError } from '../net-error.ts'
import { type AssetCache, RequestAnswerer } from './answer-requests.ts'
import { BrowserError } from './protocol.ts'
import type { Chromium, Session } from './chromium.ts'
import { type IdleTabs, type Tab, openTab } from './tabs.ts'

/** A rendered page, after its scripts have run. */
export type Rendered = {
  html: string
  /** Target of a script navigation, or null. */
  movedTo: string | null
}

type Deps = {
  chromium: Chromium
  tabs: IdleTabs
  assets: AssetCache
  net: Pick<NetClient, 'fetch'>
  signal: AbortSignal
  /** Default: `BUSY_MS`. */
  busyMs?: number | undefined
}

/** Total time, including waits for the host's rate limit. */
const TOTAL_MS = 30_000
/** A page that never becomes stable, such as one with a clock, is read after this time. */
const RESTLESS_MS = 8_000
/** An empty page gets this time after its last response. */
const EMPTY_MS = 1_500
/** A page is complete after this time without requests or changes. */
const QUIET_MS = 120
const LOOK_EVERY_MS = 30
/** The largest single-page manuals have 12 MB of text. No application shows that much. */
const MAX_HTML = 4 << 20
/** A page whose scripts block for this long is abandoned, because it would also delay the next page. */
const BUSY_MS = 8_000

/**
 * Opens a page, waits until its scripts are idle, and reads its HTML. All requests are served by `net`. Throws
 * `BrowserError`, the errors of `net` for the page's address, or `NetError` `aborted` with the signal.
 */
export async function renderPage(
  { chromium, tabs, assets, net, signal, busyMs = BUSY_MS }: Deps,
  url: string,
): Promise<Rendered> {
  using deadline = startDeadline(TOTAL_MS, signal)
  const stopped = Promise.withResolvers<never>()
  // Several events can end it. Only the first counts.
  stopped.promise.catch(() => undefined)
  void chromium.ended.then(stopped.reject)
  const onAbort = () => stopped.reject(deadline.signal.reason)
  deadline.signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  const { origin } = new URL(url)
  let tab: Tab | null = null
  try {
    const rendered = await Promise.race([stopped.promise, show()])
    if (tab) tabs.give(origin, tab)
    return rendered
  } catch (error) {
    if (tab) await (tab as Tab)[Symbol.asyncDispose]()
    if (signal.aborted || !(error instanceof NetError) || error.reason !== 'timeout') throw error
    throw new BrowserError('timeout', `Its scripts took longer than ${TOTAL_MS / 1000} s.`, { cause: error })
  } finally {
    deadline.signal.removeEventListener('abort', onAbort)
  }

  async function show(): Promise<Rendered> {
    tab = tabs.take(origin) ?? (await openTab(chromium))
    const { session, frameId } = tab
    const answerer = new RequestAnswerer({ session, net, assets, signal: deadline.signal, frameId, url })
    await tab.begin(answerer, origin, stopped.reject)
    // Navigating to another fragment of the shown page would not load it, and no event would report completion.
    if (url.includes('#') && tab.pages > 1) await session.send('Page.navigate', { url: 'about:blank' })
    const { errorText } = await session.send('Page.navigate', { url })
    if (answerer.failure) throw answerer.failure
    if (errorText) throw new BrowserError('page', `The browser did not open it (${errorText}).`)
    const look = await lookInto(session, frameId, busyMs)
    await untilQuiet(look, answerer)
    const html = await look(readHtml(MAX_HTML))
    if (typeof html !== 'string') throw new BrowserError('too_large', `It has more than ${MAX_HTML >> 20} MB of HTML.`)
    return { html, movedTo: answerer.movedTo }
  }
}

type Look = (expression: string) => Promise<unknown>

/** Evaluates expressions in an isolated world of the page, between its script tasks. */
async function lookInto(session: Session, frameId: string, busyMs: number): Promise<Look> {
  const { executionContextId: contextId } = await inTime(busyMs, session.send('Page.createIsolatedWorld', { frameId }))
  return async (expression) => {
    const { result, exceptionDetails } = await inTime(
      busyMs,
      session.send('Runtime.evaluate', { expression, contextId, returnByValue: true }),
    )
    if (exceptionDetails) throw new BrowserError('page', 'The browser could not read it.')
    return result.value
  }
}

async function inTime<T>(busyMs: number, work: Promise<T>): Promise<T> {
  const busy = Promise.withResolvers<never>()
  const why = `Its scripts ran for more than ${busyMs / 1000} s without a pause.`
  const timer = setTimeout(() => busy.reject(new BrowserError('timeout', why)), busyMs)
  try {
    return await Promise.race([work, busy.promise])
  } finally {
    clearTimeout(timer)
  }
}

async function untilQuiet(look: Look, answerer: RequestAnswerer): Promise<void> {
  const started = performance.now()
  let size = ''
  let changedAt = started
  for (;;) {
    const seen = (await look(PROBE)) as { ready: string; text: number; size: string }
    const now = performance.now()
    if (seen.size !== size) changedAt = now
    size = seen.size
    if (now - started > RESTLESS_MS) return
    const quietFor = now - Math.max(changedAt, answerer.lastAt)
    const atRest = seen.ready === 'complete' && answerer.pending === 0
    if (atRest && quietFor > (seen.text > 0 ? QUIET_MS : EMPTY_MS)) return
    await sleep(LOOK_EVERY_MS)
  }
}

/** Runs in an isolated world of the page. Returns the loading state, and a value that changes with the text. */
const PROBE = `(() => {
  const isRead = ({ parentNode }) => /^(?:SCRIPT|STYLE|NOSCRIPT|TEMPLATE)$/.test(parentNode.nodeName) ? 2 : 1
  const texts = document.createTreeWalker(document.body ?? document.documentElement, NodeFilter.SHOW_TEXT, isRead)
  let text = 0
  while (texts.nextNode()) text += texts.currentNode.data.trim().length
  return { ready: document.readyState, text, size: text + ':' + document.getElementsByTagName('*').length }
})()`

/**
 * Runs in the page after `PROBE` is stable. Returns the current HTML, or null beyond `most` characters. First moves the
 * content of open shadow roots into the document, with slots filled, because HTML serialization omits it.
 */
const readHtml = (most: number): string => `(() => {
  const flatten = (root) => {
    for (const host of root.querySelectorAll('*')) {
      const shadow = host.shadowRoot
      if (!shadow) continue
      for (const slot of shadow.querySelectorAll('slot')) {
        const given = slot.assignedNodes()
        if (given.length > 0) slot.replaceWith(...given)
      }
      flatten(shadow)
      host.replaceChildren(...shadow.childNodes)
    }
  }
  flatten(document)
  for (const unused of document.querySelectorAll('noscript, style')) unused.remove()
  const html = document.documentElement.outerHTML
  // Session storage is not cleared from outside. Some documents have none.
  try { sessionStorage.clear() } catch {}
  return html.length > ${most} ? null : '<!doctype html>' + html
})()`
