import { useId } from 'preact/hooks'

/** A message to the operator, with a request. */
export function NoteField({ value, onInput }: { value: string; onInput: (text: string) => void }) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>Message to the operator</label>
      <textarea id={id} maxLength={500} value={value} onInput={({ currentTarget }) => onInput(currentTarget.value)} />
    </div>
  )
}
