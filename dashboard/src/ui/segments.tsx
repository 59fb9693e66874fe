type Props<Name extends string> = {
  /** Label for screen readers. */
  label: string
  options: readonly { name: Name; title: string }[]
  value: Name
  onChange: (name: Name) => void
}

/** A choice of few things, all visible. */
export function Segments<Name extends string>({ label, options, value, onChange }: Props<Name>) {
  return (
    <div class="segs" role="group" aria-label={label}>
      {options.map(({ name, title }) => (
        <button key={name} type="button" aria-pressed={name === value} onClick={() => onChange(name)}>
          {title}
        </button>
      ))}
    </div>
  )
}
