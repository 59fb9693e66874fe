import { createHmac } from 'node:crypto'
import { DocentError } from '#errors.ts'
import type { HostApp } from '#upstream/host-app.ts'
import type { OperationDeps } from '../operation.ts'

/** The app of this instance at a code host, when its tokens can be kept. Throws the 503 that says why not. */
export async function openApp({ store, vault, hostApps }: OperationDeps, host: string): Promise<HostApp> {
  const app = hostApps.get(host)
  if (!app) throw new DocentError('link_not_configured')
  if (!(await vault.isAvailable(store.read))) throw new DocentError('credentials_unavailable')
  return app
}

/** Where the host sends the browser back to, as it is registered there. */
export const redirectUriOf = ({ baseUrl }: OperationDeps, host: string): string => `${baseUrl()}/oauth/${host}/callback`

/**
 * The code verifier of RFC 7636, 43 characters, made of the caller's credential and the state: it need not be kept, and
 * nobody who sees the state in an address can make it.
 */
export const verifierOf = (credentialSecret: string, state: string): string =>
  createHmac('sha256', credentialSecret).update(`docent code verifier ${state}`).digest('base64url')
