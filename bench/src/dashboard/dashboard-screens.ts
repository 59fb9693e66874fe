import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import type { Browser, BrowserContextOptions, Page, Request, Response } from 'playwright-core'
import { cumulativeShift, type Shift } from './cumulative-shift.ts'
import { slowestInteraction } from './slowest-interaction.ts'
import { median } from '#lib/median.ts'

const LOADS = 3
/** 1.6 Mbit/s down, 750 kbit/s up, 150 ms: a slow mobile network. The processor is slowed down by 4. */
const NETWORK = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 }
const CPU_RATE = 4
/** A screen is complete when it has had no request under way for this long. */
const QUIET_MS = 1_000
const PATIENCE_MS = 60_000

const WATCH = `
globalThis.vitals = { paint: null, shifts: [] }
new PerformanceObserver((list) => { vitals.paint = list.getEntries().at(-1).startTime })
  .observe({ type: 'largest-contentful-paint', buffered: true })
new PerformanceObserver((list) => {
  for (const { startTime, value, hadRecentInput } of list.getEntries())
    if (!hadRecentInput) vitals.shifts.push({ startTime, value })
}).observe({ type: 'layout-shift', buffered: true })`

type Vitals = { paint: number | null; shifts: Shift[] }
type Kind = 'js' | 'css' | 'fonts'
type Input = { browser: Browser; session: BrowserContextOptions['storageState']; url: string; slug: string }

/** Paint, layout shift, slowest interaction and sent bytes of each main screen: medians of three cold loads. */
export async function measureScreens({ slug, ...input }: Input) {
  const server = `/servers/${slug}`
  const screens = {
    servers: '/servers',
    overview: server,
    ...Object.fromEntries(['playground', 'requests', 'rules', 'tools'].map((name) => [name, `${server}/${name}`])),
    instance: '/instance',
  }
  const figures: Record<string, unknown> = {}
  for (const [name, path] of Object.entries(screens)) {
    const loads: Awaited<ReturnType<typeof load>>[] = []
    for (let n = 0; n < LOADS; n++) loads.push(await load({ ...input, path }))
    const of = (key: keyof (typeof loads)[0]) => median(loads.map((each) => each[key]))
    figures[name] = {
      lcpMs: Math.round(of('lcpMs')),
      cls: Number(of('cls').toFixed(3)),
      inpMs: of('inpMs'),
      jsGzipBytes: of('js'),
      cssGzipBytes: of('css'),
      fontBytes: of('fonts'),
      foreignRequests: Math.max(...loads.map(({ foreign }) => foreign)),
    }
  }
  return figures
}

/** One load in a new browser context, without cached files or open connections. */
async function load({ browser, session, url, path }: Omit<Input, 'slug'> & { path: string }) {
  await using context = await browser.newContext(session ? { storageState: session } : {})
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.setCacheDisabled', { cacheDisabled: true })
  await devtools.send('Network.emulateNetworkConditions', NETWORK)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_RATE })
  await page.addInitScript(WATCH)
  const traffic = watchTraffic(page, url)
  await page.goto(url + path, { timeout: PATIENCE_MS })
  await page.locator('h1').first().waitFor({ timeout: PATIENCE_MS })
  await traffic.untilQuiet()
  const { paint, shifts } = await page.evaluate<Vitals>('vitals')
  if (paint === null) throw new Error(`${path} has no largest contentful paint.`)
  const bytes = await traffic.bytes()
  const inpMs = await slowestInteraction(page)
  return { lcpMs: paint, cls: cumulativeShift(shifts), inpMs, ...bytes, foreign: traffic.foreign() }
}

/** Counts the requests of a page to other origins, and the bytes of code and fonts. */
function watchTraffic(page: Page, url: string) {
  const underWay = new Set<Request>()
  const refused: string[] = []
  const bodies: Promise<[Kind, number]>[] = []
  let foreign = 0
  let quietSince = performance.now()
  page.on('request', (request) => {
    if (!request.url().startsWith(`${url}/`) && !/^(data|blob):/.test(request.url())) foreign += 1
    // The stream of events has no end.
    if (request.resourceType() !== 'eventsource') underWay.add(request)
  })
  const end = (request: Request) => {
    underWay.delete(request)
    quietSince = performance.now()
  }
  page.on('requestfailed', end)
  page.on('requestfinished', end)
  page.on('response', (response) => {
    if (response.status() >= 400) refused.push(`${response.url()} answered ${response.status()}.`)
    const kind = kindOf(response)
    if (kind) bodies.push(response.body().then((body) => [kind, sizeOf(kind, body)]))
  })
  return {
    foreign: () => foreign,
    async untilQuiet() {
      const limit = performance.now() + PATIENCE_MS
      while (underWay.size > 0 || performance.now() - quietSince < QUIET_MS) {
        if (performance.now() > limit)
          throw new Error(`Unfinished requests: ${[...underWay].map((each) => each.url()).join(', ')}`)
        await sleep(50)
      }
      if (refused.length > 0) throw new Error(refused.join(' '))
    },
    async bytes() {
      const sums = { js: 0, css: 0, fonts: 0 }
      for (const [kind, bytes] of await Promise.all(bodies)) sums[kind] += bytes
      return sums
    },
  }
}

function kindOf(response: Response): Kind | null {
  const type = response.headers()['content-type'] ?? ''
  if (type.includes('javascript')) return 'js'
  if (type.startsWith('text/css')) return 'css'
  return type.startsWith('font/') ? 'fonts' : null
}

/** Browsers get Brotli on this machine. Code is compared compressed by gzip; fonts are compressed by themselves. */
function sizeOf(kind: Kind, body: Buffer): number {
  return kind === 'fonts' ? body.byteLength : gzipSync(body, { level: 9 }).byteLength
}
