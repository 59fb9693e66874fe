import type { Output } from '@docent/sdk'
import { useEffect, useRef } from 'preact/hooks'
import { setQuery } from '../../lib/router.ts'
import type { Server } from '../../ui/server-page.tsx'
import { Trace } from './trace.tsx'

type Props = { server: Server; callId: string; listed: Output<'analytics.calls'>['calls'] | null }

/** The call of the address, if the shown part of the log does not have it. */
export function OpenCall({ server, callId, listed }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const isElsewhere = listed !== null && !listed.some(({ id }) => id === callId)
  useEffect(() => {
    if (!isElsewhere) return
    place.current?.scrollIntoView({ block: 'start' })
    place.current?.focus({ preventScroll: true })
  }, [isElsewhere, callId])
  if (!isElsewhere) return null
  return (
    <div class="dt alone" ref={place} tabIndex={-1} role="group" aria-label="Request of the address">
      <div class="line">
        <p class="small mute">A request of another part of the log.</p>
        <button type="button" class="btn s" onClick={() => setQuery({ call: null })}>
          Close
        </button>
      </div>
      <Trace server={server} callId={callId} />
    </div>
  )
}
