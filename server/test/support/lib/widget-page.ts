import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import axe from 'axe-core'
import { type Browser, type BrowserContextOptions, type Page, chromium } from 'playwright-core'
import { ensureBuilds } from '../../../../scripts/launch/builds.mjs'
import { installedBrowser } from './installed-browser.ts'

/** Builds the widget as the launcher does. */
export async function buildWidget(): Promise<void> {
  await ensureBuilds(join(import.meta.dirname, '../../../..'), process.execPath)
}

/** The machine's Chromium, or null. It resolves every name below `.example.com` to this machine. */
export async function openBrowser(): Promise<Browser | null> {
  const executablePath = installedBrowser()
  if (executablePath === null) return null
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--host-resolver-rules=MAP *.example.com 127.0.0.1'],
  })
}

export type HostPage = AsyncDisposable & { page: Page; problems: string[]; url: string }

type Host = {
  /** Address of the service. */
  service: string
  /** HTML of the page besides the script. */
  html?: string
  /** Attributes of the script. */
  data?: string
  options?: BrowserContextOptions
}

/**
 * A page of another origin with the widget, and a policy that allows only the script and its requests: no styles, no
 * HTML from strings. Collects whatever the policy blocks, and errors of the page.
 */
export async function openHostPage(
  browser: Browser,
  { service, html = '', data = '', options }: Host,
): Promise<HostPage> {
  const policy = [
    `default-src 'none'; script-src ${service}; connect-src ${service}; style-src 'none'`,
    `require-trusted-types-for 'script'; trusted-types 'none'`,
  ].join('; ')
  const text = `<!doctype html><html lang="en"><head><title>Host page</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<script async src="${service}/embed/docent.js" ${data}></script></head>
<body><main><h1>Host page</h1><p>Text of the page.</p>${html}</main></body></html>`
  const server = createServer((request, response) => {
    if (request.url !== '/') return void response.writeHead(404).end()
    response.writeHead(200, { 'content-type': 'text/html', 'content-security-policy': policy }).end(text)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://docs.example.com:${(server.address() as AddressInfo).port}/`
  const context = await browser.newContext(options)
  const page = await context.newPage()
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (message) => {
    // The browser asks for an icon by itself.
    if (message.type() === 'error' && !message.text().includes('404')) problems.push(message.text())
  })
  await page.goto(url)
  return {
    page,
    problems,
    url,
    async [Symbol.asyncDispose]() {
      await context.close()
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Findings of axe on the page: WCAG 2.2 AA and best practice. */
export async function findAccessibilityProblems(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  return page.evaluate(async () => {
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
    const { violations } = await (
      globalThis as unknown as {
        axe: {
          run(o: object): Promise<{ violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[] }>
        }
      }
    ).axe.run({ runOnly: tags })
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
    )
  })
}
