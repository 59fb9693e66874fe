import { Field } from './field.tsx'

type Props = { label: string; isNew?: boolean; value: string; onChange: (value: string) => void }

/** The password of an account. A new one says how long it must be. */
export function PasswordField({ label, isNew, value, onChange }: Props) {
  return (
    <Field
      label={label}
      type="password"
      name={isNew ? 'new-password' : 'password'}
      autocomplete={isNew ? 'new-password' : 'current-password'}
      required
      {...(isNew ? { minLength: 10, hint: '10 characters or more.' } : {})}
      value={value}
      onInput={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}
