import { MAX_URL } from '@docent/contract/values/sources'
import { DocentError } from '#errors.ts'
import type { OperationDeps, ReadAddress } from '../operation.ts'

type Deps = Pick<OperationDeps, 'readAddress'>

/** Parses the address of a source, or explains why it is invalid. */
export function readUrl({ readAddress }: Deps, text: string): ReadAddress {
  if (text.length <= MAX_URL) return readAddress(text)
  const [has, may] = [text.length, MAX_URL].map((length) => length.toLocaleString('en'))
  return { problem: `The URL has ${has} characters, and may have ${may}.` }
}

/** Parses the address, or throws `400 valid_url_required` with the problem. */
export function requireUrl(deps: Deps, text: string): URL {
  const read = readUrl(deps, text)
  if ('address' in read) return read.address
  throw new DocentError('valid_url_required', { fields: { message: read.problem } })
}
