import { useState } from 'preact/hooks'
import { useAction } from '../api/use-action.ts'
import type { Account } from '../api/session.ts'
import { Field } from './field.tsx'
import { Form } from './form.tsx'
import { PasswordField } from './password-field.tsx'

type Props = {
  submit: string
  /** A new password has a minimum length, and password managers offer to make one. */
  isNew?: boolean
  send: (credentials: { email: string; password: string }) => Promise<{ account: Account }>
  onDone: (account: Account) => void
}

/** Email address and password: to sign in, or of a new account. */
export function CredentialsForm({ submit, isNew, send, onDone }: Props) {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const action = useAction(async () => onDone((await send({ email, password })).account))
  return (
    <Form action={action} submit={submit} isPrimary isChanged={false}>
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
      <PasswordField label="Password" {...(isNew ? { isNew } : {})} value={password} onChange={setPassword} />
    </Form>
  )
}
