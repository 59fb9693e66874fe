import type { ComponentChildren } from 'preact'
import type { Action } from '../../api/use-action.ts'
import { TextArea } from '../../ui/field.tsx'
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

/** A form that sends an order to the operator, with a message. */
export function OrderForm({ action, submit, isDisabled = false, note, setNote, children }: Props) {
  return (
    <Form action={action} submit={submit} busy="Sending …" isPrimary isDisabled={isDisabled}>
      {children}
      <TextArea label="Message to the operator" maxLength={500} value={note} onText={setNote} />
    </Form>
  )
}

/** Says that an order is on its way. */
export function Sent({ children }: { children: string }) {
  return (
    <p class="say i" role="status">
      {children} The operator has been told.
    </p>
  )
}
