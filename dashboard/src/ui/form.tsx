import type { ComponentChildren } from 'preact'
import type { Action } from '../api/use-action.ts'
import { Problem } from './states.tsx'

type Props = {
  action: Pick<Action<[]>, 'run' | 'isBusy' | 'error'>
  /** Of the button. */
  submit: string
  /** Of the button, while the change is under way. */
  busy?: string
  children: ComponentChildren
  /** Beside the button. */
  beside?: ComponentChildren
  isPrimary?: boolean
  isDisabled?: boolean
  class?: string
}

/** A form for one change: its fields, the reason if it failed, and the button that starts it. */
export function Form({ action, submit, busy = submit, children, beside, isPrimary, isDisabled, class: name }: Props) {
  return (
    <form
      class={name ?? 'stack'}
      onSubmit={(event) => {
        event.preventDefault()
        action.run()
      }}
    >
      {children}
      {action.error && <Problem error={action.error} />}
      <div class="go">
        <button type="submit" class={isPrimary ? 'btn p' : 'btn'} disabled={isDisabled || action.isBusy}>
          {action.isBusy ? busy : submit}
        </button>
        {beside}
      </div>
    </form>
  )
}
