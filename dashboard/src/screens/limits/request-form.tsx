import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import type { Action } from '../../api/use-action.ts'
import { Form } from '../../ui/form.tsx'

type Props = {
  action: Action<[]>
  /** Of the button. */
  submit: string
  isDisabled?: boolean
  note: string
  setNote: (text: string) => void
  children: ComponentChildren
}

/** A form that sends a request to the operator, with a message. */
export function RequestForm({ action, submit, isDisabled = false, note, setNote, children }: Props) {
  const id = useId()
  return (
    <Form action={action} submit={submit} busy="Sending …" isPrimary isDisabled={isDisabled}>
      {children}
      <div class="field">
        <label for={id}>Message to the operator</label>
        <textarea id={id} maxLength={500} value={note} onInput={({ currentTarget }) => setNote(currentTarget.value)} />
      </div>
    </Form>
  )
}

/** Says that a request is on its way. */
export function Sent({ children }: { children: string }) {
  return (
    <p class="say i" role="status">
      {children} The operator has been told.
    </p>
  )
}
