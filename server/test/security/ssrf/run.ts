import { readFileSync } from 'node:fs'
import { parseSitemap } from '#extract/site/sitemap.ts'
import { parseLlmsTxt } from '#extract/site/llms-txt.ts'
import { createNetClient, type NetClient } from '#net/client.ts'
import { checkUrl } from '#net/check-url.ts'
import { refusalOf } from '#net/guard.ts'
import { GiveUp } from '#jobs/lease.ts'
import { NetError } from '#net/net-error.ts'
import { parseNetworks } from '#net/judge-address.ts'
import { createResolver } from '#net/resolver.ts'
import { createRobotsCache } from '#net/robots.ts'
import { parseRobots } from '#net/robots-rules.ts'
import { UpstreamError } from '#upstream/upstream-error.ts'
import { PagePool, type PageReader } from '#readers/page-pool.ts'
import { startCanary } from './canary.ts'
import { startNameServer } from './name-server.ts'
import { sourceWays } from './source-ways.ts'

/** Report of the run on standard output, as JSON. */
export type Report = {
  hostile: number
  /** Number of ways (of sources, detection and texts). */
  ways: number
  /** Connections to forbidden addresses by way. */
  forbidden: Record<string, string[]>
  /** Controls with unexpected answers. */
  brokenControls: string[]
  controls: number
  /** Hostile URLs that name or resolve to a private address and were not recognised before any request. */
  unrecognised: string[]
  /** Connections when the guard allows every network: proves that the canary works. */
  unguarded: number
  /** Metadata addresses that were reached, or refused for another reason, when the guard allows every network. */
  openedMetadata: string[]
  /** Ways that reach no hostile URL even then. They cannot prove anything about the guard. */
  silentWays: string[]
  /** Errors of other types than the network client's. */
  oddErrors: string[]
}

type Payload = { cls: string; url: string; want: 'block' | 'allow' }

const AT_ONCE = 32
/** Of the first URLs of their classes, each source is tried with one in so many, and each URL with a third of the sources. */
const SHARE = 3
const LOOPBACK = 'http://127.0.0.1/'
const GUARD = { networks: [] }
const resolve = createResolver()
const lookUp = async (host: string) => (await resolve(host, { account: 'tester' })) ?? []

/** True if a URL leads to a private or internal address. */
const resolvesToPrivate = async (url: string) => (await refusalOf(checkUrl(url), GUARD, lookUp)) !== null
/** Metadata addresses, and names that resolve to them. */
const METADATA_HOSTS = [
  '169.254.169.254',
  '168.63.129.16',
  '100.100.100.200',
  '[fd00:ec2::254]',
  '[::ffff:169.254.169.254]',
  'a-169-254-169-254.test',
  'map6-169-254-169-254.test',
]
const USER_AGENT = 'Docent/0 (test)'

/** Tries all hostile URLs, or one of each class, in every way that fetches, in the network that `enter.sh` sets up. */
async function main(file: string, which: string): Promise<Report> {
  const payloads = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line): Payload => JSON.parse(line))
  const blocked = payloads.filter(({ want }) => want === 'block')
  const isFirst = ({ cls }: Payload, at: number) => blocked.findIndex((other) => other.cls === cls) === at
  const hostile = which === 'all' ? blocked : blocked.filter((one, at) => isFirst(one, at) || one.url === LOOPBACK)
  const controls = payloads.filter(({ want }) => want === 'allow')
  await startNameServer()
  const canary = await startCanary(
    portsIn(payloads),
    hostile.map(({ url }) => url),
  )
  await using net = createNetClient({ allowNetworks: [], userAgent: USER_AGENT, connectMs: 2_000, totalMs: 5_000 })
  await using pages = new PagePool()
  const report: Report = {
    hostile: hostile.length,
    ways: 0,
    forbidden: {},
    brokenControls: [],
    controls: controls.length,
    unrecognised: [],
    unguarded: 0,
    openedMetadata: [],
    silentWays: [],
    oddErrors: [],
  }
  const attempt = async (way: string, work: () => Promise<unknown>) => {
    const before = canary.forbidden.length
    try {
      await work()
    } catch (error) {
      if (!isExpected(error)) report.oddErrors.push(`${way}: ${String(error)}`)
    }
    const reached = canary.forbidden.slice(before)
    if (reached.length > 0) (report.forbidden[way] ??= []).push(...reached)
  }

  for (const [index, { cls, url }] of hostile.entries()) {
    for (const [way, work] of waysTo(net, url, index)) await attempt(`${way} ${cls}`, work)
    if (namesItsAddress(cls)) {
      const seen = await resolvesToPrivate(url).catch((error: unknown) => error instanceof NetError)
      // A host that does not exist is unreachable, not private.
      if (!seen && !(await isUnknownHost(net, url))) report.unrecognised.push(`${cls} ${url}`)
    }
  }
  for (const { name, take } of sourceWays(net, pages.share(), USER_AGENT)) {
    const tried = [...hostile.entries()].filter(([at]) => which === 'all' || (at + report.ways) % SHARE === 0)
    // Some requests back off before a retry, and many can do so at once.
    await inParallel(tried, AT_ONCE, ([index, { url }]) => attempt(name, () => take(url, index)))
    report.ways++
  }
  for (const { url } of controls) {
    const answered = await net.fetch(url).then(
      ({ status }) => status === 200,
      () => false,
    )
    if (!answered || (await resolvesToPrivate(url))) report.brokenControls.push(url)
  }
  report.openedMetadata = await findOpenedMetadata(canary.forbidden)
  report.unguarded = await countUnguarded(canary.forbidden)
  report.silentWays = await findSilentWays(net, pages.share(), canary.forbidden, hostile)
  return report
}

function waysTo(net: NetClient, url: string, index: number): [string, () => Promise<unknown>][] {
  const read = async (address: string) => (await net.fetch(address)).bytes
  const at = (kind: string, path: string) => `http://${kind}${index}.public.test${path}`
  const robots = createRobotsCache({ net, userAgent: USER_AGENT, parse: async (...given) => parseRobots(...given) })
  const origin = URL.parse(url)?.origin
  return [
    ['page', () => net.fetch(url)],
    ['page again', () => fetchAgain(url)],
    ['redirect', () => net.fetch(at('hop', '/hop'))],
    [
      'robots',
      async () => {
        if (origin && origin !== 'null') await robots.of(origin)
      },
    ],
    ['robots redirect', () => robots.of(at('robots', '').replace(/\/$/, ''))],
    [
      'sitemap named by robots',
      async () => {
        for (const sitemap of (await robots.of(at('plain', ''))).sitemaps) await net.fetch(sitemap)
      },
    ],
    [
      'sitemap entry',
      async () => {
        const { pages } = parseSitemap(await read(at('map', '/sitemap.xml')), at('map', '/sitemap.xml'))
        for (const page of pages) await net.fetch(page.url)
      },
    ],
    [
      'sitemap index entry',
      async () => {
        const { sitemaps } = parseSitemap(await read(at('map', '/sitemap-index.xml')), at('map', '/sitemap-index.xml'))
        for (const sitemap of sitemaps) await net.fetch(sitemap.url)
      },
    ],
    [
      'llms.txt entry',
      async () => {
        const { links } = parseLlmsTxt(
          new TextDecoder().decode(await read(at('llms', '/llms.txt'))),
          at('llms', '/llms.txt'),
        )
        for (const link of links) await net.fetch(link.url)
      },
    ],
  ]
}

/** True for errors that a source reader throws for a fault of the remote side. */
function isExpected(error: unknown): boolean {
  return error instanceof NetError || error instanceof GiveUp || error instanceof UpstreamError
}

async function inParallel<T>(items: T[], width: number, work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values()
  const lane = async () => {
    for (const item of queue) await work(item)
  }
  await Promise.all(Array.from({ length: width }, lane))
}

/** A rebinding name changes between two look-ups, so each request uses a new connection. */
async function fetchAgain(url: string): Promise<void> {
  if (!/-\d+\.test\//.test(url)) return
  for (let again = 0; again < 6; again++) {
    await using net = createNetClient({ allowNetworks: [], userAgent: USER_AGENT, connectMs: 2_000 })
    await net.fetch(url)
  }
}

/** Classes whose URLs lead to a private address directly: not by a redirect, and not only later. */
function namesItsAddress(cls: string): boolean {
  return !/^redir\.|^dns\.rebind$|^userinfo$/.test(cls)
}

async function isUnknownHost(net: NetClient, url: string): Promise<boolean> {
  return net.fetch(url).then(
    () => false,
    (error: unknown) => error instanceof NetError && error.reason === 'dns',
  )
}

async function countUnguarded(forbidden: string[]): Promise<number> {
  const before = forbidden.length
  await using open = createNetClient({ allowNetworks: parseNetworks('0.0.0.0/0, ::/0'), userAgent: USER_AGENT })
  for (const url of ['http://127.0.0.1/', 'http://192.168.3.4/', 'http://a-10-0-0-1.test/', 'http://[fd00::1]/']) {
    await open.fetch(url)
  }
  return forbidden.length - before
}

/** Metadata addresses that were reached although every network is allowed; there may be none. */
async function findOpenedMetadata(forbidden: string[]): Promise<string[]> {
  const before = forbidden.length
  await using open = createNetClient({ allowNetworks: parseNetworks('0.0.0.0/0, ::/0'), userAgent: USER_AGENT })
  for (const host of METADATA_HOSTS) {
    const refusal = await open.fetch(`http://${host}/`).catch((error: unknown) => error)
    if (!(refusal instanceof NetError) || refusal.reason !== 'blocked_address') return [`${host}: ${String(refusal)}`]
  }
  return forbidden.slice(before)
}

async function findSilentWays(
  guarded: NetClient,
  pages: PageReader,
  forbidden: string[],
  hostile: Payload[],
): Promise<string[]> {
  const index = hostile.findIndex(({ url }) => url === LOOPBACK)
  const url = hostile[index]?.url ?? ''
  const allowNetworks = parseNetworks('0.0.0.0/0, ::/0')
  const silent: string[] = []
  for (const [way, { name }] of sourceWays(guarded, pages, USER_AGENT).entries()) {
    // Connections are counted per way, so each has its own client.
    await using open = createNetClient({ allowNetworks, userAgent: USER_AGENT })
    const { take } = sourceWays(open, pages, USER_AGENT)[way] ?? {}
    const before = forbidden.length
    // Only the connections matter, not the result.
    await take?.(url, index).catch(() => undefined)
    if (forbidden.length === before) silent.push(name)
  }
  return silent
}

function portsIn(payloads: Payload[]): Set<number> {
  const text = payloads.map(({ url }) => decodeURIComponentSafely(url)).join('\n')
  const named = [...text.matchAll(/:(\d{1,5})(?=[/?#"\s]|$)/gm)].map(([, port]) => Number(port))
  return new Set([80, 443, ...named.filter((port) => port > 0 && port < 65_536 && port !== 53)])
}

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

process.stdout.write(JSON.stringify(await main(process.argv[2] ?? '', process.argv[3] ?? 'all')), () => process.exit(0))
