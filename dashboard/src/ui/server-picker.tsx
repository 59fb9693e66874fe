import type { Ref } from 'preact'
import { useId, useState } from 'preact/hooks'
import { count } from '../lib/format.ts'
import { wordsOf } from '../lib/listing.ts'

type Pickable = { id: string; name: string; slug: string }

type Props = {
  label: string
  /** In the order of the list below the field. */
  servers: readonly Pickable[]
  /** Id of the chosen server. Empty: all of them, or none yet. */
  value: string
  onChoose: (id: string) => void
  /** Stands for all servers, such as `Every server`. Without it, a server has to be chosen. */
  every?: string
  hint?: string
  input?: Ref<HTMLInputElement>
}

/** Servers below the field at once. A search finds the others. */
const MOST = 8

/** Chooses a server by a part of its name. A combobox, as the ARIA Authoring Practices describe it. */
export function ServerPicker({ label, servers, value, onChoose, every, hint, input }: Props) {
  const id = useId()
  const chosen = servers.find((server) => server.id === value)?.name ?? every ?? ''
  /** Null: closed. */
  const [text, setText] = useState<string | null>(null)
  const [marked, setMarked] = useState(0)
  const words = wordsOf(text)
  const fitting = servers.filter(({ name, slug }) => {
    const whole = wordsOf(`${name} ${slug}`).join(' ')
    return words.every((word) => whole.includes(word))
  })
  const all = words.length === 0 && every !== undefined ? [{ id: '', name: every, slug: '' }] : []
  const options = [...all, ...fitting.slice(0, MOST)]
  const more = fitting.length - Math.min(MOST, fitting.length)
  const isOpen = text !== null
  const close = () => setText(null)
  const choose = (server: Pickable | undefined) => {
    if (server) onChoose(server.id)
    close()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Partial<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }
    const step = steps[event.key]
    if (step !== undefined) {
      event.preventDefault()
      if (!isOpen) setText('')
      setMarked(isOpen ? (marked + step + options.length) % Math.max(1, options.length) : 0)
    } else if (isOpen && event.key === 'Enter') {
      event.preventDefault()
      choose(options[marked])
    } else if (isOpen && event.key === 'Escape') {
      event.preventDefault()
      close()
    }
  }
  return (
    <div class="field picker">
      <label for={id}>{label}</label>
      <input
        id={id}
        ref={input ?? null}
        role="combobox"
        aria-expanded={isOpen}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        {...(isOpen && options.length > 0 ? { 'aria-activedescendant': `${id}-${marked}` } : {})}
        {...(hint ? { 'aria-describedby': `${id}-hint` } : {})}
        autocomplete="off"
        spellcheck={false}
        placeholder="Name of a server"
        value={text ?? chosen}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onClick={() => {
          if (!isOpen) setText('')
          setMarked(0)
        }}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value)
          setMarked(0)
        }}
        onKeyDown={onKeyDown}
        onBlur={close}
      />
      <ul
        class="found-servers"
        id={`${id}-list`}
        role="listbox"
        aria-label={label}
        hidden={!isOpen || options.length === 0}
      >
        {options.map((server, index) => (
          <li
            key={server.id}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === marked}
            // The field keeps the focus, so that it does not close before the click.
            onMouseDown={(event) => event.preventDefault()}
            onPointerMove={() => setMarked(index)}
            onClick={() => choose(server)}
          >
            {server.name} {server.slug !== '' && <span class="m small mute">{server.slug}</span>}
          </li>
        ))}
      </ul>
      <p class={isOpen ? 'hint' : 'vh'} role="status">
        {isOpen && options.length === 0 && 'No server has this name.'}
        {isOpen && more > 0 && `${count(more, 'more server')}. Type a part of a name.`}
      </p>
      {hint && !isOpen && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}
