import { createContext } from 'preact'
import { useContext, useEffect, useRef, useState } from 'preact/hooks'
import type { Live, Progress } from './live.ts'

export const LiveContext = createContext<Live | null>(null)

/** The latest progress of a server, or null before the first report. Draws at most once per frame. */
export function useProgress(serverId: string | undefined): Progress | null {
  useChanges()
  const live = useContext(LiveContext)
  return (serverId !== undefined && live?.of(serverId)) || null
}

/** The progress of any server, for lists. */
export function useAllProgress(): (serverId: string) => Progress | undefined {
  useChanges()
  const live = useContext(LiveContext)
  return (serverId) => live?.of(serverId)
}

function useChanges(): void {
  const live = useContext(LiveContext)
  const [, draw] = useState(0)
  useEffect(() => {
    if (!live) return
    let frame = 0
    const stop = live.subscribe(() => {
      frame ||= requestAnimationFrame(() => {
        frame = 0
        draw((old) => old + 1)
      })
    })
    return () => {
      stop()
      cancelAnimationFrame(frame)
    }
  }, [live])
}

/** Does something when clients have called a server. `serverId` null: any server. */
export function useCalled(serverId: string | null, work: () => void): void {
  const live = useContext(LiveContext)
  const latest = useRef(work)
  latest.current = work
  useEffect(
    () =>
      live?.onCall((called) => {
        if (serverId === null || called === serverId) latest.current()
      }),
    [live, serverId],
  )
}
