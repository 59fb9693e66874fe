import { suggestedType } from '@docent/contract/values/source-kinds'
import type { SourceType } from '@docent/contract/values/sources'
import type { Handler } from '../operation.ts'
import { requireUrl } from './read-url.ts'
import { privateUrlError } from './refuse-private.ts'

export const detectSource: Handler<'sources.detect'> = async ({ deps, actor, signal }, { url: text }) => {
  const address = requireUrl(deps, text)
  const verdict = await deps.checkAddress(address, { account: actor.accountId, signal })
  if (verdict === 'private') throw privateUrlError(deps, address)
  const guess = suggestedType(address)
  // Detection would take as long again, and occupy one of the few threads for socket look-ups.
  if (verdict === 'unresolved') return { url: address.href, ...unseen(guess), problem: UNRESOLVED }
  return { url: address.href, ...(await deps.detectSource(address, guess)) }
}

const UNRESOLVED = 'The host name could not be resolved in time. Check its spelling.'

const unseen = (type: SourceType) =>
  ({ type, label: null, reachable: false, reason: 'Judged by the address alone.' }) as const
