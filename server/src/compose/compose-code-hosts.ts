import { type LinkedTokens, createLinkedTokens } from '#auth/linked-tokens.ts'
import type { Secrets } from '#config.ts'
import type { NetClient } from '#net/client.ts'
import { type HostApp, type HostTokens, createGithubApp } from '#upstream/host-app.ts'
import { UpstreamError } from '#upstream/upstream-error.ts'
import type { Base } from './base.ts'

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
