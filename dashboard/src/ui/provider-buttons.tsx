import type { Output } from '@docent/sdk'

export type SignInWays = Pick<Output<'setup.get'>, 'passwords' | 'providers'>

type Props = Pick<SignInWays, 'providers'> & {
  /** Where the browser goes afterwards. */
  next: string
  /** Opens the provider in another tab, so that this screen keeps what was typed. */
  inNewTab?: boolean
}

/** Ways to sign in with a provider. */
export function ProviderButtons({ providers, next, inNewTab = false }: Props) {
  return (
    <>
      {providers.map(({ id, name }) => (
        <p key={id}>
          <a
            class="btn"
            href={`/oidc/${id}/start?next=${encodeURIComponent(next)}`}
            {...(inNewTab ? { target: '_blank', rel: 'noopener' } : {})}
          >
            Sign in with {name}
          </a>
        </p>
      ))}
    </>
  )
}
