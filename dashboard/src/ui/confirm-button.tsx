import type { OperationId } from '@docent/contract/operations'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Dialog } from './dialog.tsx'
import { Problem } from './states.tsx'
import { useMay } from '../api/may.ts'
import { useAction } from '../api/use-action.ts'

type Props = {
  /** Of the button and of the dialog's title. */
  title: string
  children: string
  /** What the change does, in a sentence or two. */
  about: ComponentChildren
  work: () => Promise<unknown>
  class?: string
  /** The change. There is no button for members who may not make it. */
  to: OperationId
}

/** A button for a change that destroys something: asks first, in the words of the change. */
export function ConfirmButton({ title, children, about, work, class: className = 'btn s', to }: Props) {
  const may = useMay()
  const [isOpen, setOpen] = useState(false)
  const action = useAction(async () => {
    await work()
    setOpen(false)
  })
  if (!may(to)) return null
  return (
    <>
      <button type="button" class={className} onClick={() => setOpen(true)}>
        {children}
      </button>
      {isOpen && (
        <Dialog title={title} onClose={() => setOpen(false)}>
          <p>{about}</p>
          {action.error && <Problem error={action.error} />}
          <div class="go">
            <button type="button" class="btn danger" disabled={action.isBusy} onClick={() => action.run()}>
              {children}
            </button>
            <button type="button" class="btn" onClick={() => setOpen(false)}>
              Keep it
            </button>
          </div>
        </Dialog>
      )}
    </>
  )
}
