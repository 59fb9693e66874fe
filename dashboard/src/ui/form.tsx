import type { OperationId } from '@docent/contract/operations'
import type { ComponentChildren } from 'preact'
import { useWhyRefused } from '../api/may.ts'
import type { Action } from '../api/use-action.ts'
import { Problem } from './states.tsx'
import { useUnsaved } from './use-unsaved.ts'

type Props = {
  action: Pick<Action<[]>, 'run' | 'isBusy' | 'error'>
  /** Of the button. */
  submit: string
  /** Of the button, while the change is under way. */
  busy?: string
  children: ComponentChildren
  /** Beside the button. */
  beside?: ComponentChildren
  /** Instead of the reason, with what a person can do about it. */
  problem?: ComponentChildren
  isPrimary?: boolean
  isDisabled?: boolean
  /** Whether something would be lost, if the form knows it. By default, its fields are compared. */
  isChanged?: boolean
  class?: string
  /** The change. Members who may not make it can read the fields, and the reason. */
  to?: OperationId
}

/** A form for one change: its fields, the reason if it failed, and the button that starts it. */
export function Form({
  action,
  submit,
  busy = submit,
  children,
  beside,
  problem,
  isPrimary,
  isDisabled,
  isChanged,
  class: name,
  to,
}: Props) {
  const may = useWhyRefused()
  const why = to ? may(to) : null
  const form = useUnsaved(action, isChanged)
  return (
    <form
      ref={form}
      class={name ?? 'stack'}
      onSubmit={(event) => {
        event.preventDefault()
        action.run()
      }}
    >
      {why === null ? (
        children
      ) : (
        <fieldset class="bare" disabled>
          {children}
        </fieldset>
      )}
      {action.error && (problem || <Problem error={action.error} />)}
      <div class="go">
        {why === null ? (
          <button type="submit" class={isPrimary ? 'btn p' : 'btn'} disabled={isDisabled || action.isBusy}>
            {action.isBusy ? busy : submit}
          </button>
        ) : (
          <span class="mute">{why}</span>
        )}
        {beside}
      </div>
    </form>
  )
}
