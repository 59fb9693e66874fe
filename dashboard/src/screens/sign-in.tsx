import { useState } from 'preact/hooks'
import { call } from '../api/call.ts'
import { useAction } from '../api/use-action.ts'
import type { Account } from '../session.ts'
import { Field } from '../ui/field.tsx'
import { Front } from '../ui/front.tsx'
import { NewAccountForm } from '../ui/new-account-form.tsx'
import { Problem } from '../ui/states.tsx'

type Props = { isNew: boolean; signUps: boolean; isSignUp: boolean; onDone: (account: Account) => void }

/** Sign-in, or sign-up where it is on. On an instance without accounts, the way to the first one. */
export function SignIn({ isNew, signUps, isSignUp, onDone }: Props) {
  if (isNew) return <Unclaimed />
  return isSignUp && signUps ? <SignUpForm onDone={onDone} /> : <Form signUps={signUps} onDone={onDone} />
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

function Form({ signUps, onDone }: Pick<Props, 'signUps' | 'onDone'>) {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const signIn = useAction(async () => onDone((await call('sessions.create', { email, password })).account))
  return (
    <Front title="Sign in">
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          signIn.run()
        }}
      >
        <Field
          label="Email address"
          type="email"
          name="email"
          autocomplete="username"
          required
          autofocus
          value={email}
          onInput={({ currentTarget }) => setEmail(currentTarget.value)}
        />
        <Field
          label="Password"
          type="password"
          name="password"
          autocomplete="current-password"
          required
          value={password}
          onInput={({ currentTarget }) => setPassword(currentTarget.value)}
        />
        {signIn.error && <Problem error={signIn.error} />}
        <div class="go">
          <button type="submit" class="btn p" disabled={signIn.isBusy}>
            Sign in
          </button>
        </div>
      </form>
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
      <NewAccountForm make={(sent) => call('setup.signUp', sent)} onDone={onDone} />
      <p>
        You have one? <a href="/sign-in">Sign in</a>
      </p>
    </Front>
  )
}
