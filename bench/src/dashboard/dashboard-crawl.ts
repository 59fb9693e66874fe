import type { BrowserContext } from 'playwright-core'
import type { DocentClient } from '#service/docent-client.ts'
import { untilDone } from '#indexing/index-site.ts'

/** Collects long tasks (over 50 ms, by their definition) and the intervals between frames, in milliseconds. */
const WATCH = `
globalThis.watched = { tasks: [], frames: [] }
new PerformanceObserver((list) => watched.tasks.push(...list.getEntries().map(({ duration }) => duration)))
  .observe({ type: 'longtask' })
let last = 0
requestAnimationFrame(function frame(time) {
  if (last > 0) watched.frames.push(time - last)
  last = time
  requestAnimationFrame(frame)
})`

type Watched = { tasks: number[]; frames: number[] }
type Input = { context: BrowserContext; client: DocentClient; serverId: string; address: string }

/** Long tasks and frames of the overview from the first view of its heading until the server is indexed. */
export async function watchCrawl({ context, client, serverId, address }: Input) {
  const page = await context.newPage()
  await page.goto(address)
  await page.locator('.big').waitFor()
  const percent = await page.locator('.big b').innerText()
  if (!percent.endsWith('%')) throw new Error('The site was indexed before its overview was open. Use a larger one.')
  const started = performance.now()
  await page.evaluate(WATCH)
  await untilDone(client, serverId)
  const { tasks, frames } = await page.evaluate<Watched>('watched')
  const seconds = (performance.now() - started) / 1_000
  // A page that does not follow the crawl draws nothing, and looks fast.
  await page.locator('.big', { hasText: 'indexed of' }).waitFor({ timeout: 10_000 })
  await page.close()
  const { sources } = await client.getServer(serverId)
  return {
    pages: sources.reduce((sum, { pagesIndexed }) => sum + pagesIndexed, 0),
    watchedSeconds: Number(seconds.toFixed(1)),
    openedAtPercent: Number.parseInt(percent, 10),
    longTasks: tasks.length,
    longestTaskMs: Math.round(Math.max(0, ...tasks)),
    ...framesPerSecond(frames),
  }
}

/** From the median interval, and from the mean of the slowest 1 % of the intervals. */
export function framesPerSecond(intervals: readonly number[]) {
  const sorted = intervals.toSorted((a, b) => a - b)
  const slowest = sorted.slice(-Math.ceil(sorted.length / 100))
  const mean = slowest.reduce((sum, each) => sum + each, 0) / slowest.length
  const rate = (interval: number | undefined) => (interval ? Number((1_000 / interval).toFixed(1)) : null)
  return { framesPerSecond: rate(sorted[sorted.length >> 1]), framesPerSecondSlowest1Percent: rate(mean) }
}
