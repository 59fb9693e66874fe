import { useEffect } from 'preact/hooks'
import { holdPage } from '../lib/leave.ts'
import { CopyButton } from './copy-button.tsx'

/** A secret that the service shows only now. Leaving the page asks first. */
export function ShownOnce({ what, text, onDone }: { what: string; text: string; onDone: () => void }) {
  useEffect(() => holdPage(() => 'secret'), [])
  return (
    <div class="secret" role="status">
      <p class="small mute">{what}. It is shown only now, so copy it.</p>
      <p>
        <code>{text}</code>
      </p>
      <div class="go">
        <CopyButton class="btn s p" text={text} />
        <button type="button" class="btn s" onClick={onDone}>
          I have it
        </button>
      </div>
    </div>
  )
}
