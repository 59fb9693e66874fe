import { call } from '../api/call.ts'
import type { Account } from '../api/session.ts'
import { CredentialsForm } from '../ui/credentials-form.tsx'
import { Front } from '../ui/front.tsx'
import { ProviderButtons, type SignInWays } from '../ui/provider-buttons.tsx'

type Props = SignInWays & {
  isNew: boolean
  command: string
  signUps: boolean
  isSignUp: boolean
  /** The screen that was asked for. */
  next: string
  onDone: (account: Account) => void
}

/** Sign-in, or sign-up where it is on. On an instance without accounts, the way to the first one. */
export function SignIn({ isNew, command, isSignUp, onDone, ...ways }: Props) {
  if (isNew) return <Unclaimed command={command} />
  return isSignUp && ways.signUps && ways.passwords ? (
    <SignUpForm onDone={onDone} />
  ) : (
    <SignInForm {...ways} onDone={onDone} />
  )
}

function Unclaimed({ command }: Pick<Props, 'command'>) {
  return (
    <Front title="Docent is running" about="It has no account yet.">
      <p>Open the setup link that the service printed at its start. To print another one, run this in its folder:</p>
      <pre class="cmd" tabIndex={0} aria-label="Command">
        {command} setup-link
      </pre>
      <p class="mute small">
        The link works once, for 30 minutes. Without a browser: <code>{command} admin create</code>.
      </p>
    </Front>
  )
}

function SignInForm({ signUps, passwords, providers, next, onDone }: Omit<Props, 'isNew' | 'command' | 'isSignUp'>) {
  return (
    <Front title="Sign in">
      <ProviderButtons providers={providers} next={next} />
      {providers.length > 0 && passwords && <p class="mute">Or with a password:</p>}
      {passwords && <CredentialsForm submit="Sign in" send={(sent) => call('sessions.create', sent)} onDone={onDone} />}
      {signUps && passwords && (
        <p>
          No account yet? <a href="/sign-up">Make one</a>
        </p>
      )}
      {passwords && <p class="mute small">Forgotten? The operator sets a new one with docent admin password.</p>}
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
