import { useLayoutEffect, useState } from 'preact/hooks'
import { call } from '../api/call.ts'
import type { Account } from '../api/session.ts'
import { CredentialsForm } from '../ui/credentials-form.tsx'
import { Front } from '../ui/front.tsx'

type Props = { token: string; command: string; onDone: (account: Account) => void }

/** Creates the first account with the token of the setup link. */
export function SetUp({ token, command, onDone }: Props) {
  // The address bar and the history keep no secret. The screen keeps it for the form.
  const [secret] = useState(token)
  useLayoutEffect(() => history.replaceState(null, '', '/setup'), [])
  return (
    <Front title="Make the first account" about="It runs this instance, without limits.">
      {secret === '' ? (
        <p>
          Open the link that the service printed at its start. For another one, run <code>{command} setup-link</code> on
          its machine.
        </p>
      ) : (
        <CredentialsForm
          submit="Make the account"
          isNew
          send={(sent) => call('setup.claim', { token: secret, ...sent })}
          onDone={onDone}
        />
      )}
    </Front>
  )
}
