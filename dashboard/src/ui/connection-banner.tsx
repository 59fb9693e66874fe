import { useContext } from 'preact/hooks'
import { ConnectionContext } from '../api/connection.ts'
import { Icon } from './icons.tsx'

const WORDS = {
  offline: 'You are offline. What you see may be out of date. It is loaded anew when you are online again.',
  down: 'The service does not answer. What you see may be out of date. It is loaded anew when the service is back.',
} as const

/** Says that there is no connection, above every screen. */
export function ConnectionBanner() {
  const connection = useContext(ConnectionContext)
  return (
    <div role="status" class="lost">
      {connection !== 'up' && (
        <p>
          <Icon name="warn" />
          {WORDS[connection]}
        </p>
      )}
    </div>
  )
}
