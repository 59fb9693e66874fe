import type { RefObject } from 'preact'
import { number } from '../lib/format.ts'
import { leave } from '../lib/leave.ts'
import { setQuery } from '../lib/router.ts'

type Props = {
  page: number
  pages: number
  /** What the list has, such as `servers`. */
  of: string
  /** Of the page in the query, for screens with several lists. */
  name?: string
  /** The list, whose unsaved forms would be lost. */
  list?: RefObject<Element | null>
}

/** Earlier and later parts of a long list. */
export function Pager({ page, pages, of, name = 'page', list }: Props) {
  if (pages <= 1) return null
  const go = (to: number) => leave(() => setQuery({ [name]: to === 1 ? null : String(to) }), list?.current)
  return (
    <nav class="go" aria-label={`Parts of the list of ${of}`}>
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
