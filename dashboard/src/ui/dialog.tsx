import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'

type Props = {
  title: string
  children: ComponentChildren
  /** Without it, the dialog stays until what it is about is done. */
  onClose?: () => void
  /** Asked before closing, for content that is shown once. */
  mayClose?: () => boolean
}

/** A modal dialog. Escape and its button close it; the browser keeps the focus inside. */
export function Dialog({ title, children, onClose, mayClose = () => true }: Props) {
  const heading = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  const close = () => {
    if (mayClose()) onClose?.()
  }
  return (
    <dialog
      ref={dialog}
      class="dialog"
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault()
        close()
      }}
    >
      <header>
        <h2 id={heading}>{title}</h2>
        {onClose && (
          <button type="button" class="btn s" onClick={close}>
            Close
          </button>
        )}
      </header>
      {children}
    </dialog>
  )
}
