import { DocentError } from '#errors.ts'
import type { Visitor } from '../operation.ts'

/**
 * Throws `403 origin_not_allowed` unless the request comes from a page of the configuration's domain or a subdomain, or
 * from a page of the service, which previews widgets. Returns the visitor.
 */
export function admitPage(visitor: Visitor | undefined, { domain }: { domain: string }): Visitor {
  if (!visitor) throw new Error('This door has no visitors')
  if (domain === '' || visitor.sender === 'own') return visitor
  const { origin } = visitor
  const host = origin !== null && URL.canParse(origin) ? new URL(origin).hostname : ''
  if (host !== domain && !host.endsWith(`.${domain}`)) throw new DocentError('origin_not_allowed')
  return visitor
}
