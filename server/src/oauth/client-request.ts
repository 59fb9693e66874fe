import { OAuthError } from './oauth-error.ts'

/** Who sends a request to the token endpoint, by its form (RFC 6749, section 2.3.1). Throws `invalid_request`. */
export function clientAuthenticationOf(form: URLSearchParams): { clientId: string; secret: string | null } {
  for (const name of new Set(form.keys()))
    if (form.getAll(name).length > 1)
      throw new OAuthError('invalid_request', `The form has \`${name.slice(0, 50)}\` twice.`)
  const clientId = form.get('client_id')
  if (!clientId) throw new OAuthError('invalid_request', 'The form has no `client_id`.')
  return { clientId, secret: form.get('client_secret') }
}
