import type { Config, Secrets } from '#config.ts'
import { sharePace } from '#crawl/pace-requests.ts'
import { type NetClient, createNetClient } from '#net/client.ts'
import { type Guard, refusalOf, refuseHost } from '#net/guard.ts'
import { parseNetworks, type OwnEndpoint, namesOwnListener } from '#net/judge-address.ts'
import { type Pacer, createPacer } from '#net/pacing.ts'
import { type Resolve, createResolver } from '#net/resolver.ts'
import type { OperationDeps } from '#operations/operation.ts'
import { databaseEndpoint } from '#store/engine/open.ts'
import { userAgent } from '#version.ts'
import { type LinkedTokens, createLinkedTokens } from '#auth/linked-tokens.ts'
import { type HostApp, type HostTokens, createGithubApp } from '#upstream/host-app.ts'
import { UpstreamError } from '#upstream/upstream-error.ts'
import type { Base } from './base.ts'

/** All outgoing requests except those to the configured models. */
export type Network = Pick<OperationDeps, 'isOwnAddress' | 'isPrivateByText' | 'checkAddress'> & {
  /** For crawls and for live calls of remote servers. */
  crawlNet: NetClient
  /** For operations. This client leaves at least one DNS lookup thread to crawls. */
  askingNet: NetClient
  /** For deliveries of webhooks. */
  webhookNet: NetClient
  pacer: Pacer
}

/** Receivers are many and small. A dead one must not take a thread for long. */
const FOR_WEBHOOKS = { lookupsAtOnce: 1, connectMs: 5_000, firstByteMs: 10_000, connectionsPerOrigin: 8 }

/** Opens the HTTP clients, which refuse private addresses and the service's own endpoints. */
export function composeNetwork({ config, store, baseUrl, listensOn, stack, onError }: Base): Network {
  const allowNetworks = parseNetworks(config.allowNetworks)
  const ownEndpoints = () => ownEndpointsOf(config, listensOn())
  const guard: Guard = { networks: allowNetworks, ownEndpoints }
  const options = { allowNetworks, ownEndpoints, userAgent: userAgent(config.publicUrl) }
  return {
    crawlNet: stack.use(createNetClient(options)),
    askingNet: stack.use(createNetClient({ ...options, lookupsAtOnce: 1 })),
    webhookNet: stack.use(createNetClient({ ...options, ...FOR_WEBHOOKS })),
    pacer: stack.use(createPacer({ shared: sharePace(store), onError })),
    isOwnAddress: (address) => isOwnAddress(address, { config, listensOn: listensOn(), baseUrl: baseUrl() }),
    isPrivateByText: ({ hostname }) => refuseHost(hostname, allowNetworks) !== null,
    checkAddress: checkAddressBy(guard, createResolver()),
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
    const refusal = await refusalOf(address, guard, { resolve: look })
    if (refusal) return 'private'
    return isResolved ? 'fine' : 'unresolved'
  }
}

/** Endpoints of the service itself: its HTTP port, including other nodes on this machine, and its database. */
function ownEndpointsOf({ port, database }: Config, listensOn: number | null): OwnEndpoint[] {
  const own: OwnEndpoint[] = ownPorts(port, listensOn).map((one) => ({ host: null, port: one }))
  const atDatabase = databaseEndpoint(database)
  return atDatabase ? [...own, atDatabase] : own
}

/** Ports of the service's HTTP listener, without those that are not known yet. */
function ownPorts(port: number, listensOn: number | null): number[] {
  return [...new Set([port, listensOn ?? 0])].filter((one) => one !== 0)
}

type Own = { config: Pick<Config, 'host' | 'port' | 'sdkPublicUrl'>; listensOn: number | null; baseUrl: string }

function isOwnAddress(address: URL, { config, listensOn, baseUrl }: Own): boolean {
  const { host, port, sdkPublicUrl } = config
  const { origin, hostname } = new URL(baseUrl)
  return (
    address.origin === origin ||
    (sdkPublicUrl !== null && address.origin === new URL(sdkPublicUrl).origin) ||
    namesOwnListener(address, { hosts: [host, hostname], ports: ownPorts(port, listensOn) })
  )
}

/** Access to private repositories. */
export type CodeHosts = {
  /** Apps of this instance by code host. */
  hostApps: ReadonlyMap<string, HostApp>
  linkedTokens: LinkedTokens
}

export function composeCodeHosts({ config, secrets, store, vault }: Base, net: NetClient): CodeHosts {
  const hostApps = appsOf(net, config.githubApiUrl, secrets.githubApp)
  return { hostApps, linkedTokens: createLinkedTokens({ store, vault, refresh: refreshBy(hostApps) }) }
}

function appsOf(net: NetClient, apiUrl: string, github: Secrets['githubApp']): ReadonlyMap<string, HostApp> {
  const apps = github ? [createGithubApp(net, apiUrl, github)] : []
  return new Map(apps.map((app) => [app.host, app]))
}

/** Refreshes tokens through the app that issued them. */
function refreshBy(apps: ReadonlyMap<string, HostApp>) {
  return async (host: string, refreshToken: string): Promise<HostTokens> => {
    const app = apps.get(host)
    if (!app) throw new UpstreamError('refused', `This instance has no app at ${host} any more.`)
    return app.refresh(refreshToken)
  }
}
