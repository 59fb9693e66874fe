import { useCallback, useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { RECOVERED } from './connection.ts'

export type Loading<T> = {
  /** The latest answer. It stays while the same thing is loaded again. */
  data: T | null
  error: Error | null
  reload: () => void
  /** Replaces the answer, after a change that returned the new state. */
  set: (data: T) => void
}

/** Loads something when the screen opens, when `key` changes, and when the service answers again. Null: not for this member. */
export function useLoad<T>(key: string, load: ((signal: AbortSignal) => Promise<T>) | null): Loading<T> {
  const [round, setRound] = useState(0)
  const [state, setState] = useState<{ key: string; data: T | null; error: Error | null }>(EMPTY)
  // Before the next paint: the answer may be here already.
  useLayoutEffect(() => {
    if (!load) return
    const ended = new AbortController()
    load(ended.signal).then(
      (data) => ended.signal.aborted || setState({ key, data, error: null }),
      (error: Error) =>
        ended.signal.aborted || setState((old) => ({ key, data: old.key === key ? old.data : null, error })),
    )
    return () => ended.abort()
    // `load` is a new function on each render. `key` names what it loads.
  }, [key, round])
  const reload = useCallback(() => setRound((old) => old + 1), [])
  useEffect(() => {
    addEventListener(RECOVERED, reload)
    return () => removeEventListener(RECOVERED, reload)
  }, [reload])
  const set = useCallback((data: T) => setState({ key, data, error: null }), [key])
  const isCurrent = state.key === key
  return { data: isCurrent ? state.data : null, error: isCurrent ? state.error : null, reload, set }
}

const EMPTY = { key: '', data: null, error: null }
