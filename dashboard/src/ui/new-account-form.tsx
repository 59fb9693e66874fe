import type { Output } from '@docent/sdk'
import { useState } from 'preact/hooks'
import { useAction } from '../api/use-action.ts'
import type { Account } from '../session.ts'
import { Field } from './field.tsx'
import { Problem } from './states.tsx'

type Props = {
  make: (sent: { email: string; password: string }) => Promise<Output<'setup.signUp'>>
  onDone: (account: Account) => void
}

/** Email address and password of a new account. */
export function NewAccountForm({ make, onDone }: Props) {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const create = useAction(async () => onDone((await make({ email, password })).account))
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault()
        create.run()
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
        autocomplete="new-password"
        required
        minLength={10}
        hint="10 characters or more."
        value={password}
        onInput={({ currentTarget }) => setPassword(currentTarget.value)}
      />
      {create.error && <Problem error={create.error} />}
      <div class="go">
        <button type="submit" class="btn p" disabled={create.isBusy}>
          Make the account
        </button>
      </div>
    </form>
  )
}
