import { DocentError } from '#errors.ts'
import type { OperationDeps } from '../operation.ts'

const OWN =
  'This is an address of this service itself, which it does not fetch. Add what that server answers from instead.'

type Deps = Pick<OperationDeps, 'baseUrl'>

/** `400 private_source_url`, with what the address is where it is the service's own. */
export function privateUrlError(deps: Deps, address: URL): DocentError {
  return new DocentError('private_source_url', { fields: ownMessage(deps, [address]) })
}

/** `{message}` where one of the addresses is below that at which clients reach the service; else nothing. */
export function ownMessage({ baseUrl }: Deps, addresses: readonly URL[]): { message?: string } {
  const { origin } = new URL(baseUrl())
  return addresses.some((address) => address.origin === origin) ? { message: OWN } : {}
}
