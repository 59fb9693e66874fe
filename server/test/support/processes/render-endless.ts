import { startChromium } from '#net/browser/chromium.ts'
import { renderPage } from '#net/browser/render-page.ts'
import { createAssetCache } from '#net/browser/answer-requests.ts'
import { createIdleTabs } from '#net/browser/tabs.ts'

/** Renders a page with an endless script and prints the browser's process id as soon as the page is requested. */
const chromium = await startChromium({ program: process.argv[2] ?? '', userAgent: 'docent-test' })
const net = {
  async fetch(url: string) {
    process.stdout.write(`${chromium.pid}\n`)
    const bytes = new TextEncoder().encode('<!doctype html><title>Endless</title><script>for (;;) {}</script>')
    const headers = { 'content-type': 'text/html' }
    return { url, status: 200, headers, bytes }
  },
}
await renderPage(
  { chromium, tabs: createIdleTabs(1), assets: createAssetCache(), net, signal: new AbortController().signal },
  'http://a.test/',
)
