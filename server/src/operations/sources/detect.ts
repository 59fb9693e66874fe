import { DocentError } from '#errors.ts'
import type { Handler } from '../operation.ts'
import { detectType } from '../servers/detect-type.ts'

export const detectSource: Handler<'sources.detect'> = async ({ deps }, { url: text }) => {
  const address = deps.parseAddress(text)
  if (!address) throw new DocentError('valid_url_required')
  if (await deps.pointsToPrivate(address.href)) throw new DocentError('private_source_url')
  return { url: address.href, ...(await deps.detectSource(address, detectType(address))) }
}
