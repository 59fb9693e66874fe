import type { Secrets } from '@docent/server/config.ts'
import { createNetClient } from '@docent/server/net/client.ts'
import { EVERYWHERE } from '@docent/server/net/judge-address.ts'
import { createSignInProvider } from '@docent/server/upstream/sign-in-provider.ts'
import { userAgent } from '@docent/server/version.ts'
import { type Finding, ok, problem, sentenceOf, warning } from './finding.ts'

const CHECK = 'Sign-in'

/** Asks each sign-in provider for its metadata. */
export async function checkProviders({ signInProviders }: Pick<Secrets, 'signInProviders'>): Promise<Finding[]> {
  await using net = createNetClient({ allowNetworks: EVERYWHERE, userAgent: userAgent() })
  return await Promise.all(
    signInProviders.map(async (settings) => {
      const { name, issuer } = settings
      try {
        await createSignInProvider(net, settings).begin('http://localhost/')
      } catch (error) {
        const advice = 'Check the issuer in DOCENT_SIGN_IN_PROVIDERS, and that the provider runs.'
        return problem(CHECK, sentenceOf(error), advice)
      }
      if (!issuer.startsWith('http:')) return ok(CHECK, `${name} answers at ${issuer}`)
      const advice = 'Use https. Whoever can change the traffic signs in as anybody.'
      return warning(CHECK, `${name} answers at ${issuer}, without encryption.`, advice)
    }),
  )
}
