import { useEffect } from 'preact/hooks'
import { call } from '../api/call.ts'
import type { Account } from '../api/session.ts'
import { useLoad } from '../api/use-load.ts'
import { CredentialsForm } from './credentials-form.tsx'
import { Dialog } from './dialog.tsx'
import { ProviderButtons } from './provider-buttons.tsx'
import { Loaded } from './states.tsx'

type Props = { onDone: (account: Account) => void }

/** Over a screen whose session has ended. The screen stays as it is, with all that was typed. */
export function SignInAgain({ onDone }: Props) {
  const ways = useLoad('the ways to sign in', (signal) => call('setup.get', {}, { signal }))
  return (
    <Dialog title="Sign in again">
      <p>Your session has ended. What you typed is still here, and what you asked for is done after the sign-in.</p>
      <div class="after">
        <Loaded from={ways} what="the ways to sign in">
          {({ passwords, providers }) => (
            <>
              {passwords && (
                <CredentialsForm submit="Sign in" send={(sent) => call('sessions.create', sent)} onDone={onDone} />
              )}
              {providers.length > 0 && <ElsewhereToo onDone={onDone} />}
              <ProviderButtons providers={providers} next="/servers" inNewTab />
            </>
          )}
        </Loaded>
      </div>
    </Dialog>
  )
}

/** Goes on when the person comes back from the tab of a provider. */
function ElsewhereToo({ onDone }: Props) {
  useEffect(() => {
    const look = () => {
      call('sessions.list', {}, { mayBeSignedOut: true }).then(
        ({ account }) => onDone(account),
        () => {
          // Not signed in yet: the dialog stays.
        },
      )
    }
    addEventListener('focus', look)
    return () => removeEventListener('focus', look)
  }, [onDone])
  return null
}
