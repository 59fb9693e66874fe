import { useLayoutEffect, useState } from 'preact/hooks'
import { call, send } from '../api/call.ts'
import type { Account } from '../api/session.ts'
import { useAction } from '../api/use-action.ts'
import { useLoad } from '../api/use-load.ts'
import { Form } from '../ui/form.tsx'
import { Front } from '../ui/front.tsx'
import { PasswordField } from '../ui/password-field.tsx'
import type { SignInWays } from '../ui/provider-buttons.tsx'
import { Loaded } from '../ui/states.tsx'

type Props = {
  token: string
  account: Account | null
  /** For a browser without a session. */
  ways?: SignInWays
  onDone: (account: Account) => void
}

/** Accepts the invitation of a link. `account` is that of the browser's session. */
export function Invite({ token, account, ways, onDone }: Props) {
  // The address bar and the history keep no secret. The screen keeps it for the form.
  const [secret] = useState(token)
  useLayoutEffect(() => history.replaceState(null, '', '/invite'), [])
  const invitation = useLoad('invitation', (signal) => call('invitations.read', { token: secret }, { signal }))
  const [password, setPassword] = useState('')
  const isSignedIn = invitation.data !== null && account?.email === invitation.data.email
  const accept = useAction(async () => {
    const sent = isSignedIn ? { token: secret } : { token: secret, password }
    onDone((await call('invitations.accept', sent)).account)
  })
  if (secret === '')
    return (
      <Front title="Join an account">
        <p>This address needs the whole link of the invitation. Open it again.</p>
      </Front>
    )
  return (
    <Front title="Join an account">
      <Loaded from={invitation} what="the invitation">
        {({ email, account: name, role, isKnown }) => (
          <>
            <p>
              <b>{email}</b> is invited to the account <b>{name}</b> as {role}.
            </p>
            {ways?.providers.map(({ id, name: provider }) => (
              <JoinWith key={id} id={id} name={provider} token={secret} />
            ))}
            {ways?.passwords && ways.providers.length > 0 && <p class="mute">Or with a password:</p>}
            {(isSignedIn || (ways?.passwords ?? true)) && (
              <Form action={accept} submit="Join" isPrimary isChanged={false}>
                {!isSignedIn && (
                  <PasswordField
                    label={isKnown ? 'Your password on this instance' : 'Choose a password'}
                    {...(isKnown ? {} : { isNew: true })}
                    value={password}
                    onChange={setPassword}
                  />
                )}
              </Form>
            )}
          </>
        )}
      </Loaded>
    </Front>
  )
}

/** Joins with the account at a provider. The secret goes in a body, so that no log has it. */
function JoinWith({ id, name, token }: { id: string; name: string; token: string }) {
  const join = useAction(async () => {
    const body = JSON.stringify({ invitation: token })
    const headers = { 'content-type': 'application/json' }
    const answer = await send(`/oidc/${id}/start`, { method: 'POST', headers, body })
    location.assign(((await answer.json()) as { url: string }).url)
  })
  return <Form action={join} submit={`Join with ${name}`} isChanged={false} children={null} />
}
