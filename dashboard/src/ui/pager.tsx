import { number } from '../lib/format.ts'
import { setQuery } from '../lib/router.ts'

type Props = {
  page: number
  pages: number
  /** Of the page in the query, for screens with several lists. */
  name?: string
}

/** Earlier and later parts of a long list. */
export function Pager({ page, pages, name = 'page' }: Props) {
  if (pages <= 1) return null
  const go = (to: number) => setQuery({ [name]: to === 1 ? null : String(to) })
  return (
    <nav class="go" aria-label="Parts of the list">
      <button type="button" class="btn s" disabled={page <= 1} onClick={() => go(page - 1)}>
        Previous
      </button>
      <span class="small mute">
        {number(page)} of {number(pages)}
      </span>
      <button type="button" class="btn s" disabled={page >= pages} onClick={() => go(page + 1)}>
        Next
      </button>
    </nav>
  )
}
