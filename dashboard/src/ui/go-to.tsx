import { useId, useState } from 'preact/hooks'
import { call } from '../api/call.ts'
import { useMay } from '../api/may.ts'
import { useLoad } from '../api/use-load.ts'
import { leave } from '../lib/leave.ts'
import { accountPlaces, serverPlaces } from '../lib/places.ts'
import { navigate } from '../lib/router.ts'
import { useAccount } from '../api/session.ts'
import { Dialog } from './dialog.tsx'

const MOST = 12

/** Finds a screen or a server by its name. Arrow keys mark another one, and Enter opens it. */
export function GoTo({ onClose }: { onClose: () => void }) {
  const { isOperator } = useAccount()
  const list = useId()
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState(0)
  const { data } = useLoad('go-to', (signal) => call('servers.list', {}, { signal }))
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const found = [...accountPlaces(isOperator, useMay()), ...serverPlaces(data ?? [])]
    .filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)))
    .slice(0, MOST)
  const last = Math.max(0, found.length - 1)
  const marked = Math.min(chosen, last)
  const go = (path: string) => {
    onClose()
    leave(() => navigate(path))
  }
  const move = (event: KeyboardEvent) => {
    const next = { ArrowDown: marked + 1, ArrowUp: marked - 1, Home: 0, End: last }[event.key]
    if (next === undefined || ((event.key === 'Home' || event.key === 'End') && text !== '')) return
    event.preventDefault()
    setChosen((next + last + 1) % (last + 1))
  }
  return (
    <Dialog title="Go to anything" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const place = found[marked]
          if (place) go(place.path)
        }}
      >
        <input
          class="wide"
          aria-label="Name of a screen or a server"
          role="combobox"
          aria-autocomplete="list"
          aria-expanded
          aria-controls={list}
          aria-activedescendant={found.length > 0 ? `${list}-${marked}` : undefined}
          autoFocus
          value={text}
          onKeyDown={move}
          onInput={({ currentTarget }) => {
            setText(currentTarget.value)
            setChosen(0)
          }}
        />
      </form>
      <ul class="goto" id={list} role="listbox" aria-label="Screens and servers">
        {found.map(({ name, path }, index) => (
          <li
            key={path}
            id={`${list}-${index}`}
            role="option"
            aria-selected={index === marked}
            onPointerMove={() => setChosen(index)}
            onClick={() => go(path)}
          >
            {name}
          </li>
        ))}
      </ul>
      {found.length === 0 && (
        <p class="mute after" role="status">
          Nothing has this name.
        </p>
      )}
    </Dialog>
  )
}
