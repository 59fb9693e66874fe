import { setTimeout as sleep } from 'node:timers/promises'
import type { NetClient } from '../client.ts'
import { startDeadline } from '../deadline.ts'
import { NetError } from '../net-error.ts'
import { type Answerer, answerRequests } from './answer-requests.ts'
import type { AssetCache } from './asset-cache.ts'
import { BrowserError } from './browser-error.ts'
import type { Chromium, Session } from './chromium.ts'
import type { IdleTabs } from './idle-tabs.ts'
import { type Tab, openTab } from './open-tab.ts'
import { PROBE, type Probed, readHtml } from './read-page.ts'

/** What a page shows after its scripts have run. */
export type Rendered = {
  html: string
  /** Where its scripts wanted to lead instead, if anywhere. */
  movedTo: string | null
}

type Deps = {
  chromium: Chromium
  /** Tabs that have nothing to do, to be taken and given back. */
  tabs: IdleTabs
  assets: AssetCache
  net: Pick<NetClient, 'fetch'>
  signal: AbortSignal
}

/** For everything, the waits for the host's turns included. */
const TOTAL_MS = 30_000
/** A page that never comes to rest, as one with a clock, is read as it stands after so long. */
const RESTLESS_MS = 8_000
/** As long after the last request has been answered, a page that shows nothing yet is waited for. */
const EMPTY_MS = 1_500
/** Nothing asked for and nothing changed for so long: the page is done. */
const QUIET_MS = 120
const LOOK_EVERY_MS = 30
/** The text of the largest single page manuals has 12 MB; no application shows as much. */
const MAX_HTML = 4 << 20
/** A page whose scripts have not paused for so long is no use, also to the one that comes after it. */
const BUSY_MS = 8_000

/**
 * Opens a page, lets its scripts run until it comes to rest, and reads its HTML. Everything that it asks for comes from
 * `net`. Throws `BrowserError`, or what `net` throws for the page's own address; `NetError` `aborted` with the signal.
 */
export async function renderPage({ chromium, tabs, assets, net, signal }: Deps, url: string): Promise<Rendered> {
  using deadline = startDeadline(TOTAL_MS, signal)
  const stopped = Promise.withResolvers<never>()
  // Of the many that may end it, only the first is heard.
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
    const answerer = answerRequests({ session, net, assets, signal: deadline.signal, frameId, url })
    await tab.begin(answerer, origin, stopped.reject)
    // Of a page that is shown already another fragment would be no other page, and nothing would tell when it is there.
    if (url.includes('#') && tab.pages > 1) await session.send('Page.navigate', { url: 'about:blank' })
    const { errorText } = await session.send('Page.navigate', { url })
    if (answerer.failure) throw answerer.failure
    if (errorText) throw new BrowserError('page', `The browser did not open it (${errorText}).`)
    const look = await lookInto(session, frameId)
    await untilQuiet(look, answerer)
    const html = await look(readHtml(MAX_HTML))
    if (typeof html !== 'string') throw new BrowserError('too_large', `It has more than ${MAX_HTML >> 20} MB of HTML.`)
    return { html, movedTo: answerer.movedTo }
  }
}

type Look = (expression: string) => Promise<unknown>

/** Evaluates expressions in the page, out of reach of its scripts, in the pauses that those leave. */
async function lookInto(session: Session, frameId: string): Promise<Look> {
  const { executionContextId: contextId } = await inTime(session.send('Page.createIsolatedWorld', { frameId }))
  return async (expression) => {
    const { result, exceptionDetails } = await inTime(
      session.send('Runtime.evaluate', { expression, contextId, returnByValue: true }),
    )
    if (exceptionDetails) throw new BrowserError('page', 'The browser could not read it.')
    return result.value
  }
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  const busy = Promise.withResolvers<never>()
  const timer = setTimeout(
    () =>
      busy.reject(new BrowserError('timeout', `Its scripts ran for more than ${BUSY_MS / 1000} s without a pause.`)),
    BUSY_MS,
  )
  try {
    return await Promise.race([work, busy.promise])
  } finally {
    clearTimeout(timer)
  }
}

async function untilQuiet(look: Look, answerer: Answerer): Promise<void> {
  const started = performance.now()
  let size = ''
  let changedAt = started
  for (;;) {
    const seen = (await look(PROBE)) as Probed
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
