import { call } from '../api/call.ts'
import type { Account } from '../api/session.ts'
import { CredentialsForm } from './credentials-form.tsx'
import { Dialog } from './dialog.tsx'

/** Over a screen whose session has ended. The screen stays as it is, with all that was typed. */
export function SignInAgain({ onDone }: { onDone: (account: Account) => void }) {
  return (
    <Dialog title="Sign in again">
      <p>Your session has ended. What you typed is still here, and what you asked for is done after the sign-in.</p>
      <div class="after">
        <CredentialsForm submit="Sign in" send={(sent) => call('sessions.create', sent)} onDone={onDone} />
      </div>
    </Dialog>
  )
}
