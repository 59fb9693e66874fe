import { useCallback, useRef, useState } from 'preact/hooks'

/** A change that a person starts: whether it is under way, and why it failed. */
export type Action<A extends unknown[]> = {
  run: (...args: A) => void
  isBusy: boolean
  error: Error | null
  clear: () => void
}

/** Runs one change at a time. A second click while it is under way does nothing. */
export function useAction<A extends unknown[]>(work: (...args: A) => Promise<unknown>): Action<A> {
  const [state, setState] = useState<{ isBusy: boolean; error: Error | null }>({ isBusy: false, error: null })
  const busy = useRef(false)
  const latest = useRef(work)
  latest.current = work
  const run = useCallback((...args: A) => {
    if (busy.current) return
    busy.current = true
    setState({ isBusy: true, error: null })
    latest.current(...args).then(
      () => {
        busy.current = false
        setState({ isBusy: false, error: null })
      },
      (error: Error) => {
        busy.current = false
        setState({ isBusy: false, error })
      },
    )
  }, [])
  const clear = useCallback(() => setState({ isBusy: false, error: null }), [])
  return { run, ...state, clear }
}
