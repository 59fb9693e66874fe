import { EmailSchema } from '@docent/contract/operations/sessions'
import { type Identity, admitIdentity } from '#auth/identities.ts'
import { findSession } from '#auth/sessions.ts'
import { DocentError, found } from '#errors.ts'
import type { ProviderClaims, SignInAttempt, SignInProvider } from '#upstream/sign-in-provider.ts'
import { UpstreamError } from '#upstream/upstream-error.ts'
import type { OperationDeps, Visitor } from '../operation.ts'
import { enforceRateLimit } from '../rate-limits.ts'
import { firstAccountOf, openVisitorSession } from './sessions.ts'

/** Beginnings, and ends, from one network: enough for an office in the morning. Each may ask the provider. */
const PER_NETWORK = { limit: 100, windowMs: 15 * 60_000, of: 'sign-ins with a provider from one network' } as const

/** The address to which providers send browsers back. */
export const returnAddress = ({ baseUrl }: OperationDeps, id: string): string => `${baseUrl()}/oidc/${id}/callback`

/** Begins a sign-in with a provider. Throws `404 not_found`, `429 too_many_requests`, or `422 host_unavailable`. */
export async function beginProviderSignIn(deps: OperationDeps, visitor: Visitor, id: string) {
  const provider = found(deps.signInProviders.get(id), 'not_found')
  await enforceRateLimit(deps, { key: 'oidc begin from:', network: visitor.address, ...PER_NETWORK })
  return orRefusal(provider, () => provider.begin(returnAddress(deps, id)))
}

type Ending = { id: string; returned: URL; attempt: SignInAttempt; invitation: string | null }

/**
 * Ends a sign-in with a provider, and signs the browser in. Throws `403 not_permitted` for a person of no account, for an
 * address that is not confirmed, and if the provider or a check of its answer refused; `422 host_unavailable`.
 */
export async function finishProviderSignIn(deps: OperationDeps, visitor: Visitor, by: Ending): Promise<void> {
  const provider = found(deps.signInProviders.get(by.id), 'not_found')
  await enforceRateLimit(deps, { key: 'oidc end from:', network: visitor.address, ...PER_NETWORK })
  const identity = readIdentity(provider, await orRefusal(provider, () => provider.finish(by.returned, by.attempt)))
  const { signUps, defaultPlan } = deps.config
  const person = await admitIdentity(deps.store, identity, {
    provider: provider.settings,
    signUpPlan: signUps ? defaultPlan : null,
    signedIn: (await findSession(deps.store.read, visitor.sessionSecret, deps.clock()))?.personId ?? null,
    invitation: by.invitation,
    address: visitor.address,
  })
  const details = JSON.stringify({ provider: by.id })
  await openVisitorSession(deps, visitor, person.id, await firstAccountOf(deps, person), details)
}

function readIdentity({ settings }: SignInProvider, { issuer, subject, claims }: ProviderClaims): Identity {
  const { email, email_verified: verified, [settings.groupsClaim]: groups } = claims
  return {
    issuer,
    subject,
    email: EmailSchema.safeParse(email).data?.toLowerCase() ?? null,
    // Some providers write it as a text. What a provider denies, the operator cannot vouch for.
    isConfirmed: String(verified) === 'true' || (settings.trustAddresses && verified === undefined),
    groups: [groups].flat().filter((group) => typeof group === 'string'),
  }
}

async function orRefusal<T>({ settings }: SignInProvider, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (cause) {
    if (!(cause instanceof UpstreamError)) throw cause
    if (cause.reason === 'refused') throw new DocentError('not_permitted', { text: cause.message, cause })
    const text = `${cause.message} Try again later, or sign in in another way. The operator sees with docent doctor whether ${settings.name} answers.`
    throw new DocentError('host_unavailable', { text, cause })
  }
}
