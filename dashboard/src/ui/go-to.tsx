import { useState } from 'preact/hooks'
import { call } from '../api/call.ts'
import { useLoad } from '../api/use-load.ts'
import { navigate } from '../lib/router.ts'
import { useAccount } from '../api/session.ts'
import { Dialog } from './dialog.tsx'

const SCREENS = [
  { name: 'Servers', path: '/servers' },
  { name: 'New server', path: '/new' },
  { name: 'API keys', path: '/keys' },
  { name: 'Deleted servers', path: '/deleted' },
  { name: 'Plan and limits', path: '/plan' },
  { name: 'Developer portal', path: '/developers' },
  { name: 'Widgets', path: '/widgets' },
  { name: 'Webhooks', path: '/webhooks' },
  { name: 'API reference', path: '/reference' },
  { name: 'Account', path: '/account' },
]
const PARTS = ['Playground', 'Tools', 'Rules', 'Requests', 'Widget', 'Settings']
const MOST = 12

/** Finds a screen or a server by its name. */
export function GoTo({ onClose }: { onClose: () => void }) {
  const { isOperator } = useAccount()
  const [text, setText] = useState('')
  const { data } = useLoad('go-to', (signal) => call('servers.list', {}, { signal }))
  const servers = (data ?? [])
    .filter(({ status }) => status !== 'deleted')
    .flatMap(({ name, slug }) => [
      { name, path: `/servers/${slug}` },
      ...PARTS.map((part) => ({ name: `${name}: ${part}`, path: `/servers/${slug}/${part.toLowerCase()}` })),
    ])
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const screens = isOperator ? [...SCREENS, { name: 'Instance', path: '/instance' }] : SCREENS
  const found = [...screens, ...servers]
    .filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)))
    .slice(0, MOST)
  const go = (path: string) => {
    onClose()
    navigate(path)
  }
  return (
    <Dialog title="Go to anything" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const [first] = found
          if (first) go(first.path)
        }}
      >
        <input
          class="wide"
          aria-label="Name of a screen or a server"
          autoFocus
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </form>
      <ul class="goto">
        {found.map(({ name, path }) => (
          <li key={path}>
            <a
              href={path}
              onClick={(event) => {
                event.preventDefault()
                go(path)
              }}
            >
              {name}
            </a>
          </li>
        ))}
        {found.length === 0 && <li class="mute">Nothing has this name.</li>}
      </ul>
    </Dialog>
  )
}
