import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { useMay } from '../api/may.ts'
import { accountPlaces } from '../lib/places.ts'

type Item = { title: string; path: string; also?: readonly string[] }

/** The parts of the product. `also`: screens that belong to one. */
const ITEMS: readonly Item[] = [
  { title: 'Servers', path: '/servers', also: ['/new', '/deleted'] },
  { title: 'Widgets', path: '/widgets', also: ['/developers'] },
  { title: 'Keys', path: '/keys', also: ['/approvals', '/webhooks'] },
  { title: 'Team', path: '/team', also: ['/audit'] },
  { title: 'Analytics', path: '/analytics' },
  { title: 'Plan', path: '/plan', also: ['/limits'] },
  { title: 'Instance', path: '/instance' },
  { title: 'Documentation', path: '/docs', also: ['/reference'] },
]

type Props = { path: string; isOperator: boolean; onFind: () => void }

/** The menu in the bar. On a narrow screen, a button opens it below the bar. */
export function Menu({ path, isOperator, onFind }: Props) {
  const id = useId()
  const places = new Set(accountPlaces(isOperator, useMay()).map(({ path: own }) => own))
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => setOpen(false), [path])
  useEffect(() => {
    if (!isOpen) return
    const close = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape') return
      setOpen(false)
      button.current?.focus()
    }
    addEventListener('keydown', close)
    return () => removeEventListener('keydown', close)
  }, [isOpen])
  return (
    <>
      <button
        type="button"
        ref={button}
        class="btn s open-menu"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        Menu
      </button>
      <nav id={id} class={isOpen ? 'menu is-open' : 'menu'} aria-label="Main">
        {ITEMS.filter(({ path: own }) => places.has(own)).map((item) => (
          <a key={item.path} href={item.path} {...currentOf(item, path)} onClick={() => setOpen(false)}>
            {item.title}
          </a>
        ))}
        <button
          type="button"
          class="lnk find-here"
          aria-haspopup="dialog"
          onClick={() => {
            setOpen(false)
            onFind()
          }}
        >
          Go to anything
        </button>
      </nav>
    </>
  )
}

function currentOf({ path: own, also = [] }: Item, path: string) {
  if (path === own) return { 'aria-current': 'page' as const }
  const isWithin = [own, ...also].some((one) => path === one || path.startsWith(`${one}/`))
  return isWithin ? { 'aria-current': 'true' as const } : {}
}
