import { useEffect, useState } from 'preact/hooks'
import { ASKED_TO_STAY, type Leaving, heldNow } from '../lib/leave.ts'
import { Dialog } from './dialog.tsx'

const WORDS = {
  text: { title: 'Leave without saving?', about: 'What you changed on this page is not saved yet.' },
  file: { title: 'Leave before the file is sent?', about: 'The server is made when the whole file has arrived.' },
  secret: { title: 'Leave without the secret?', about: 'The secret is shown only now. Nobody can show it again.' },
} as const

/** Asks before the page is left with something that is not saved. For another site or a reload, the browser asks. */
export function LeaveDialog() {
  const [leaving, setLeaving] = useState<Leaving | null>(null)
  useEffect(() => {
    const ask = (event: Event) => setLeaving((event as CustomEvent<Leaving>).detail)
    const hold = (event: BeforeUnloadEvent) => {
      if (heldNow() !== null) event.preventDefault()
    }
    addEventListener(ASKED_TO_STAY, ask)
    addEventListener('beforeunload', hold)
    return () => {
      removeEventListener(ASKED_TO_STAY, ask)
      removeEventListener('beforeunload', hold)
    }
  }, [])
  if (!leaving) return null
  const { title, about } = WORDS[leaving.held]
  const stay = () => setLeaving(null)
  return (
    <Dialog title={title} onClose={stay}>
      <p>{about}</p>
      <div class="go">
        <button type="button" class="btn p" onClick={stay}>
          Stay here
        </button>
        <button
          type="button"
          class="btn danger"
          onClick={() => {
            stay()
            leaving.go()
          }}
        >
          Leave
        </button>
      </div>
    </Dialog>
  )
}
