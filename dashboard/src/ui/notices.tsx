import { useEffect, useState } from 'preact/hooks'
import { useAction } from '../api/use-action.ts'

type Notice = {
  text: string
  /** Takes the change back. */
  undo?: () => Promise<unknown>
}

const NOTICE = 'docent-notice'
const SHOWN_MS = 5_000
/** A change that exposes something can be taken back for this long. */
const UNDO_MS = 10_000

/** Says below every screen what was done, for some seconds, also after the next screen is open. */
export function say(notice: Notice | string): void {
  dispatchEvent(new CustomEvent(NOTICE, { detail: typeof notice === 'string' ? { text: notice } : notice }))
}

/** The last notice. Screen readers read it when it appears. */
export function Notices() {
  const [notice, setNotice] = useState<Notice | null>(null)
  useEffect(() => {
    const show = (event: Event) => setNotice((event as CustomEvent<Notice>).detail)
    addEventListener(NOTICE, show)
    return () => removeEventListener(NOTICE, show)
  }, [])
  const undo = useAction(async () => {
    await notice?.undo?.()
    setNotice({ text: 'Undone' })
  })
  useEffect(() => {
    if (!notice || undo.isBusy) return
    const timer = setTimeout(() => setNotice(null), notice.undo ? UNDO_MS : SHOWN_MS)
    return () => clearTimeout(timer)
  }, [notice, undo.isBusy])
  return (
    <div class="notice" role="status">
      {notice && (
        <p>
          {undo.error && notice.undo ? undo.error.message : notice.text}
          {notice.undo && (
            <button type="button" class="btn s" disabled={undo.isBusy} onClick={() => undo.run()}>
              Undo
            </button>
          )}
        </p>
      )}
    </div>
  )
}
