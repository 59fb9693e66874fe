import { setTimeout as sleep } from 'node:timers/promises'

/** Lists of all pages, and reads of a page. */
const LISTS = 20
const READS = 200
/** Milliseconds between two requests that the main thread answers alone. */
const PING_EVERY_MS = 2

/**
 * Latency of lists and reads of pages, and the longest time that a `ping`, which the main thread answers alone, takes
 * meanwhile.
 */
export async function measureResources(url: string, pageUrl: string): Promise<Record<string, number>> {
  const [firstListMs] = await timesOf(() => send(url, 'resources/list', {}), 1)
  const pings: number[] = []
  const controller = new AbortController()
  const pinging = pingUntil(url, pings, controller.signal)
  const lists = await timesOf(() => listAll(url), LISTS)
  const reads = await timesOf(() => send(url, 'resources/read', { uri: pageUrl }), READS)
  controller.abort()
  await pinging
  return {
    firstListMs: round(firstListMs ?? 0),
    wholeListP50Ms: percentile(lists, 0.5),
    readP50Ms: percentile(reads, 0.5),
    readP99Ms: percentile(reads, 0.99),
    pings: pings.length,
    pingP50Ms: percentile(pings, 0.5),
    pingMostMs: round(Math.max(...pings)),
  }
}

async function listAll(url: string): Promise<void> {
  let cursor: unknown
  do {
    const { nextCursor } = await send(url, 'resources/list', { cursor })
    cursor = nextCursor
  } while (cursor !== undefined)
}

async function pingUntil(url: string, times: number[], signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    times.push(...(await timesOf(() => send(url, 'ping', {}), 1)))
    await sleep(PING_EVERY_MS)
  }
}

async function timesOf(request: () => Promise<unknown>, count: number): Promise<number[]> {
  const times: number[] = []
  for (let at = 0; at < count; at++) {
    const started = performance.now()
    await request()
    times.push(performance.now() - started)
  }
  return times
}

async function send(url: string, method: string, params: object): Promise<Record<string, unknown>> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const { result, error } = (await response.json()) as { result?: Record<string, unknown>; error?: { message: string } }
  if (result === undefined) throw new Error(`${method} failed: ${error?.message}`)
  return result
}

function percentile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  return round(sorted[Math.floor(share * (sorted.length - 1))] ?? 0)
}

function round(value: number): number {
  return Number(value.toFixed(2))
}
