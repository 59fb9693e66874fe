import { DocentError } from '#errors.ts'
import type { OperationDeps } from '../operation.ts'

const OWN =
  'This is an address of this service itself, which it does not fetch. Add what that server answers from instead.'

type Deps = Pick<OperationDeps, 'isOwnAddress'>

/** The error `400 private_source_url`, with a specific message for the service's own address. */
export function privateUrlError(deps: Deps, address: URL): DocentError {
  return new DocentError('private_source_url', { fields: ownMessage(deps, [address]) })
}

/** `{message}` if one of the addresses is the service's own, otherwise an empty object. */
export function ownMessage({ isOwnAddress }: Deps, addresses: readonly URL[]): { message?: string } {
  return addresses.some(isOwnAddress) ? { message: OWN } : {}
}
