import type { ComponentChildren } from 'preact'
import { ApiError } from '../api/api-error.ts'
import type { Loading } from '../api/use-load.ts'

/** An error as a sentence, with a way on. */
export function Problem({ error, retry }: { error: Error; retry?: () => void }) {
  const { upgradeUrl } = error instanceof ApiError ? error.body : {}
  return (
    <div class="say" role="alert">
      <p>{error.message}</p>
      <div class="a">
        {typeof upgradeUrl === 'string' && (
          <a class="btn s" href={upgradeUrl}>
            See the plans
          </a>
        )}
        {retry && (
          <button type="button" class="btn s" onClick={retry}>
            Try again
          </button>
        )}
      </div>
    </div>
  )
}

/** Shown only after a moment, so that a fast answer does not flicker. */
export function Waiting({ what }: { what: string }) {
  return (
    <p class="waiting mute" role="status">
      Loading {what} …
    </p>
  )
}

/** Shows loaded data, a loading state, or the error. */
export function Loaded<T>({
  from,
  what,
  children,
}: {
  from: Pick<Loading<T>, 'data' | 'error' | 'reload'>
  what: string
  children: (data: T) => ComponentChildren
}) {
  const { data, error, reload } = from
  if (data === null) return error ? <Problem error={error} retry={reload} /> : <Waiting what={what} />
  return (
    <>
      {error && <Problem error={error} retry={reload} />}
      {children(data)}
    </>
  )
}
