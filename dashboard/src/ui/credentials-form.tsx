import { useState } from 'preact/hooks'
import { useAction } from '../api/use-action.ts'
import type { Account } from '../api/session.ts'
import { count } from '../lib/format.ts'
import { Field } from './field.tsx'
import { Form } from './form.tsx'
import { say } from './notices.tsx'
import { PasswordField } from './password-field.tsx'

type Props = {
  submit: string
  /** A new password has a minimum length, and password managers offer to make one. */
  isNew?: boolean
  send: (credentials: { email: string; password: string }) => Promise<{ account: Account; failedSignIns: number }>
  onDone: (account: Account) => void
}

const NOTICE_AFTER_MS = 500

/** Email address and password: to sign in, or of a new account. */
export function CredentialsForm({ submit, isNew, send, onDone }: Props) {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const action = useAction(async () => {
    const { account, failedSignIns } = await send({ email, password })
    onDone(account)
    const text = `${count(failedSignIns, 'failed sign-in')} since you signed in last. If they were not yours, change your password.`
    // The notices of the next screen have to listen first.
    if (failedSignIns > 0) setTimeout(() => say(text), NOTICE_AFTER_MS)
  })
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
