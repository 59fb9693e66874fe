import { call } from '../api/call.ts'
import type { Account } from '../api/session.ts'
import { CredentialsForm } from '../ui/credentials-form.tsx'
import { Front } from '../ui/front.tsx'

type Props = { isNew: boolean; signUps: boolean; isSignUp: boolean; onDone: (account: Account) => void }

/** Sign-in, or sign-up where it is on. On an instance without accounts, the way to the first one. */
export function SignIn({ isNew, signUps, isSignUp, onDone }: Props) {
  if (isNew) return <Unclaimed />
  return isSignUp && signUps ? <SignUpForm onDone={onDone} /> : <SignInForm signUps={signUps} onDone={onDone} />
}

function Unclaimed() {
  return (
    <Front title="Docent is running" about="It has no account yet.">
      <p>Open the setup link that the service printed at its start. To print another one, run this in its folder:</p>
      <pre class="cmd" tabIndex={0} aria-label="Command">
        npm run docent -- setup-link
      </pre>
      <p class="mute small">
        The link works once, for 30 minutes. Without a browser: <code>npm run docent -- admin create</code>.
      </p>
    </Front>
  )
}

function SignInForm({ signUps, onDone }: Pick<Props, 'signUps' | 'onDone'>) {
  return (
    <Front title="Sign in">
      <CredentialsForm submit="Sign in" send={(sent) => call('sessions.create', sent)} onDone={onDone} />
      {signUps && (
        <p>
          No account yet? <a href="/sign-up">Make one</a>
        </p>
      )}
      <p class="mute small">Forgotten? The operator sets a new one with docent admin password.</p>
    </Front>
  )
}

function SignUpForm({ onDone }: Pick<Props, 'onDone'>) {
  return (
    <Front title="Make an account">
      <CredentialsForm submit="Make the account" isNew send={(sent) => call('setup.signUp', sent)} onDone={onDone} />
      <p>
        You have one? <a href="/sign-in">Sign in</a>
      </p>
    </Front>
  )
}
