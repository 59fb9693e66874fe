import type { SourceType } from '@docent/contract/values/sources'
import { createLinkedTokens } from '#auth/linked-tokens.ts'
import type { Config } from '#config.ts'
import { sharePace } from '#crawl/pace-requests.ts'
import type { Log } from '#log.ts'
import { findBrowser } from '#net/browser/browser-process.ts'
import { hasSandbox } from '#net/browser/chromium.ts'
import { openRenderer } from '#net/browser/open-renderer.ts'
import type { Purpose } from '#analytics/metrics.ts'
import { traceOf } from '#lib/trace.ts'
import { type NetClient, createNetClient } from '#net/client.ts'
import { type Guard, refusalOf, refuseHost } from '#net/guard.ts'
import { EVERYWHERE, type OwnEndpoint, namesOwnListener, parseNetworks } from '#net/judge-address.ts'
import { createPacer } from '#net/pacing.ts'
import { type Resolve, createResolver } from '#net/resolver.ts'
import { createRobotsCache } from '#net/robots.ts'
import type { OperationDeps } from '#operations/operation.ts'
import { PagePool, parseRobotsInChild } from '#readers/page-pool.ts'
import { BuildPool } from '#search/build-pool.ts'
import { databaseEndpoint } from '#store/engine/open.ts'
import { type HostApp, createGithubApp } from '#upstream/host-app.ts'
import { createSignInProvider } from '#upstream/sign-in-provider.ts'
import { UpstreamError } from '#upstream/upstream-error.ts'
import { VERSION, userAgent } from '#version.ts'
import type { OnFault } from '#workers/kill-reason.ts'
import { createReaderMemory } from '#workers/reader-memory.ts'
import type { Base } from './base.ts'

/** All outgoing requests except those to the configured models. */
export type Network = ReturnType<typeof composeNetwork>

/** Receivers are many and small. A dead one must not take a thread for long. */
const FOR_WEBHOOKS = { lookupsAtOnce: 1, connectMs: 5_000, firstByteMs: 10_000, connectionsPerOrigin: 8 }

/** Opens the HTTP clients, which refuse private addresses and the service's own endpoints. */
export function composeNetwork(base: Base) {
  const { config, store, baseUrl, listensOn, stack, onError } = base
  const allowNetworks = parseNetworks(config.allowNetworks)
  const ownEndpoints = () => ownEndpointsOf(config, listensOn())
  const guard: Guard = { networks: allowNetworks, ownEndpoints }
  const checks: Pick<OperationDeps, 'isOwnAddress' | 'isPrivateByText' | 'checkAddress'> = {
    isOwnAddress: (address) => isOwnAddress(address, { config, listensOn: listensOn(), baseUrl: baseUrl() }),
    isPrivateByText: ({ hostname }) => refuseHost(hostname, allowNetworks) !== null,
    checkAddress: checkAddressBy(guard, createResolver()),
  }
  const options = { allowNetworks, ownEndpoints, userAgent: userAgent(config.publicUrl) }
  return {
    /** For crawls and for live calls of remote servers. */
    crawlNet: measured('crawl', stack.use(createNetClient(options)), base),
    /** For operations. This client leaves at least one DNS lookup thread to crawls. */
    askingNet: measured('operation', stack.use(createNetClient({ ...options, lookupsAtOnce: 1 })), base),
    webhookNet: measured('webhook', stack.use(createNetClient({ ...options, ...FOR_WEBHOOKS })), base),
    pacer: stack.use(createPacer({ shared: sharePace(store), onError })),
    checks,
  }
}

/** The client, whose requests are reported under a purpose. Receivers of posts get the trace; sites that are read do not. */
export function measured(
  purpose: Purpose,
  net: NetClient,
  { metrics, traces }: Pick<Base, 'metrics' | 'traces'>,
): NetClient {
  if (!metrics && !traces) return net
  const fetch: NetClient['fetch'] = async (url, request) => {
    const begun = performance.now()
    const secondsOf = () => (performance.now() - begun) / 1000
    try {
      const headers = request?.json === undefined && request?.body === undefined ? {} : traces?.headers()
      const response = await net.fetch(url, { ...request, headers: { ...headers, ...request?.headers } })
      const { status, bytes } = response
      metrics?.fetched(purpose, { status, seconds: secondsOf(), bytes: bytes.byteLength })
      return response
    } catch (error) {
      metrics?.fetched(purpose, { status: 0, seconds: secondsOf(), bytes: 0 })
      throw error
    }
  }
  return {
    [Symbol.asyncDispose]: () => net[Symbol.asyncDispose](),
    fetch: (...asked) => traceOf(traces)(`fetch for ${purpose}`, () => fetch(...asked)),
  }
}

function checkAddressBy(guard: Guard, resolve: Resolve): OperationDeps['checkAddress'] {
  return async (address, by) => {
    let isResolved = true
    const look = async (host: string) => {
      const found = await resolve(host, by)
      isResolved = found !== null
      return found ?? []
    }
    const refusal = await refusalOf(address, guard, look)
    if (refusal) return 'private'
    return isResolved ? 'fine' : 'unresolved'
  }
}

/** Endpoints of the service itself: its HTTP port, including other nodes on this machine, and its database. */
function ownEndpointsOf({ database, ...config }: Config, listensOn: number | null): OwnEndpoint[] {
  const own = ownPorts(config, listensOn).map((one) => ({ host: null, port: one }))
  return [...own, databaseEndpoint(database) ?? []].flat()
}

/** Ports on which the service listens, without those that are not known yet. */
function ownPorts({ port, metricsPort }: Ports, listensOn: number | null): number[] {
  return [...new Set([port, listensOn ?? 0, metricsPort ?? 0])].filter((one) => one !== 0)
}

type Ports = Pick<Config, 'port' | 'metricsPort'>
type Own = { config: Ports & Pick<Config, 'host' | 'sdkPublicUrl'>; listensOn: number | null; baseUrl: string }

function isOwnAddress(address: URL, { config, listensOn, baseUrl }: Own): boolean {
  const { host, sdkPublicUrl } = config
  const { origin, hostname } = new URL(baseUrl)
  return (
    address.origin === origin ||
    (sdkPublicUrl !== null && address.origin === new URL(sdkPublicUrl).origin) ||
    namesOwnListener(address, { hosts: [host, hostname], ports: ownPorts(config, listensOn) })
  )
}

export type CodeHosts = ReturnType<typeof composeCodeHosts>

/** Access to private repositories, by the apps of this instance and the accounts that users have linked. */
export function composeCodeHosts({ config, secrets, store, vault }: Base, net: NetClient) {
  const apps = secrets.githubApp ? [createGithubApp(net, config.githubApiUrl, secrets.githubApp)] : []
  const hostApps: ReadonlyMap<string, HostApp> = new Map(apps.map((app) => [app.host, app]))
  // The app that issued a token refreshes it.
  const refresh = async (host: string, refreshToken: string) => {
    const app = hostApps.get(host)
    if (!app) throw new UpstreamError('refused', `This instance has no app at ${host} any more.`)
    return app.refresh(refreshToken)
  }
  return { hostApps, linkedTokens: createLinkedTokens({ store, vault, refresh }) }
}

/** The providers with which people sign in. The operator chose them, so that they may be in private networks. */
export function composeSignInProviders({ config, secrets, listensOn, stack }: Base) {
  const ownEndpoints = () => ownEndpointsOf(config, listensOn())
  const net = stack.use(createNetClient({ allowNetworks: EVERYWHERE, ownEndpoints, userAgent: userAgent() }))
  return new Map(secrets.signInProviders.map((settings) => [settings.id, createSignInProvider(net, settings)]))
}

/** Processes that read what was fetched, and build indexes from it. */
export type Reading = ReturnType<typeof composeReading>

const NO_SANDBOX =
  'Pages are rendered by Chromium without its sandbox, because the service runs as root. Run it as another user.'
const NOT_RENDERED =
  'Pages are not rendered: the service runs as root, and Chromium has no sandbox for root. Run the service as another user, or set DOCENT_BROWSER_WITHOUT_SANDBOX=on.'

/** Opens the process pools. Processes start with the first task. */
export function composeReading({ config, log, metrics, traces, stack }: Base, net: NetClient) {
  const memory = createReaderMemory(config.readerMemoryMb, config.dataDir)
  const onFault: OnFault = (err, url) => log.error({ err, url }, 'a page could not be read')
  const pages = stack.use(new PagePool({ memory, onFault, onRead: metrics?.documentRead, trace: traceOf(traces) }))
  const robots = createRobotsCache({ net, userAgent: userAgent(), parse: parseRobotsInChild(pages) })
  const { program, notRendered } = chooseBrowser(config, log)
  const renderer = program === null ? null : stack.use(openRenderer({ program, userAgent: userAgent() }))
  const builder = stack.use(new BuildPool({ hides: config.dataDir }))
  const detect = async (from: NetClient, address: URL, guess: SourceType) => {
    // Lazy import, like all indexing code: most starts only answer requests.
    const { detectSource } = await import('#sources/detect-source.ts')
    return detectSource({ net: from, pages: pages.share(), robots, version: VERSION }, address, guess)
  }
  return { memory, pages, onFault, robots, renderer, notRendered, builder, detect }
}

/** Why a page was not rendered, as the end of a sentence. */
const WHY_NOT = {
  off: 'which the service does not run: DOCENT_BROWSER is off.',
  root: 'which the service does not run as root. Run it as another user, or set DOCENT_BROWSER_WITHOUT_SANDBOX=on.',
  missing: 'and no browser is installed to run it. Install Chromium, or set DOCENT_BROWSER to its path.',
}

/** The browser that renders pages, or (`program` null) why there is none: none is found, or root may not start it. */
function chooseBrowser(
  { browser, browserWithoutSandbox }: Config,
  log: Log,
): { program: string | null; notRendered?: string } {
  const program = findBrowser(browser)
  if (program === null) return { program, notRendered: browser.wanted === 'off' ? WHY_NOT.off : WHY_NOT.missing }
  if (hasSandbox()) return { program }
  log.warn(browserWithoutSandbox ? NO_SANDBOX : NOT_RENDERED)
  return browserWithoutSandbox ? { program } : { program: null, notRendered: WHY_NOT.root }
}
