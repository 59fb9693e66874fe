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

/** The lines of a page that is not here yet. */
export function Waiting({ what }: { what: string }) {
  return (
    <div class="waiting" role="status">
      <span class="vh">Loading {what} …</span>
    </div>
  )
}

/** Shows loaded data, a loading state, or the error. */
export function Loaded<T>({
  from,
  what,
  head,
  children,
}: {
  from: Pick<Loading<T>, 'data' | 'error' | 'reload'>
  what: string
  /** The heading until there is data, if the data decides about it. */
  head?: ComponentChildren
  children: (data: T) => ComponentChildren
}) {
  const { data, error, reload } = from
  if (data === null) {
    return (
      <>
        {head}
        {error ? <Problem error={error} retry={reload} /> : <Waiting what={what} />}
      </>
    )
  }
  // Without a connection, the banner says so once for all that is shown.
  const isUnreachable = error instanceof ApiError && error.status === 0
  return (
    <>
      {error && !isUnreachable && <Problem error={error} retry={reload} />}
      {children(data)}
    </>
  )
}
