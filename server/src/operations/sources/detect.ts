import { DocentError } from '#errors.ts'
import type { Handler } from '../operation.ts'
import { detectType } from '../servers/detect-type.ts'

export const detectSource: Handler<'sources.detect'> = async ({ deps, actor, signal }, { url: text }) => {
  const address = deps.parseAddress(text)
  if (!address) throw new DocentError('valid_url_required')
  const isPrivate = await deps.pointsToPrivate(address, { account: actor.accountId, signal })
  if (isPrivate) throw new DocentError('private_source_url')
  return { url: address.href, ...(await deps.detectSource(address, detectType(address))) }
}
