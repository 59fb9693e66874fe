import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

type Props = {
  label: string
  hint?: ComponentChildren
  /** What is wrong with the value. */
  error?: string | null
  class?: string
  type?: 'text' | 'email' | 'password' | 'url'
  value: string
  onInput: (event: { currentTarget: HTMLInputElement }) => void
  name?: string
  autocomplete?: string
  autocapitalize?: 'off'
  autofocus?: boolean
  inputMode?: 'url' | 'numeric'
  required?: boolean
  minLength?: number
  maxLength?: number
  placeholder?: string
  pattern?: string
  list?: string
  disabled?: boolean
  spellcheck?: boolean
}

/** An input with its label above and a hint below. */
export function Field({ label, hint, error, class: className, type = 'text', ...input }: Props) {
  const id = useId()
  const about = [...(hint ? [`${id}-hint`] : []), ...(error ? [`${id}-error`] : [])].join(' ')
  const described = { ...(about ? { 'aria-describedby': about } : {}), ...(error ? { 'aria-invalid': true } : {}) }
  return (
    <div class={className ? `field ${className}` : 'field'}>
      <label for={id}>{label}</label>
      {/* oxlint-disable-next-line typescript/no-unnecessary-type-assertion -- the compiler refuses the union of types */}
      <input id={id} {...input} type={type as 'text'} {...described} />
      {error && (
        <p class="field-error" id={`${id}-error`} role="alert">
          {error}
        </p>
      )}
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}

type TextAreaProps = {
  label: string
  value: string
  onText: (text: string) => void
  maxLength: number
  rows?: number
  required?: boolean
}

/** A text of several lines with its label above. */
export function TextArea({ label, onText, ...area }: TextAreaProps) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <textarea id={id} {...area} onInput={({ currentTarget }) => onText(currentTarget.value)} />
    </div>
  )
}
