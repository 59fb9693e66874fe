import { createHmac } from 'node:crypto'
import { DocentError } from '#errors.ts'
import type { HostApp } from '#upstream/host-app.ts'
import type { OperationDeps } from '../operation.ts'

/** The instance's app at a code host, if its tokens can be stored. Throws the 503 that explains why not. */
export async function openApp({ store, vault, hostApps }: OperationDeps, host: string): Promise<HostApp> {
  const app = hostApps.get(host)
  if (!app) throw new DocentError('link_not_configured')
  if (!(await vault.isAvailable(store.read))) throw new DocentError('credentials_unavailable')
  return app
}

/** The redirect URI registered at the host. */
export const redirectUriOf = ({ baseUrl }: OperationDeps, host: string): string => `${baseUrl()}/oauth/${host}/callback`

/**
 * The code verifier of RFC 7636, 43 characters, derived from the caller's credential and the state. It need not be
 * stored, and seeing the state in a URL does not reveal it.
 */
export const verifierOf = (credentialSecret: string, state: string): string =>
  createHmac('sha256', credentialSecret).update(`docent code verifier ${state}`).digest('base64url')
