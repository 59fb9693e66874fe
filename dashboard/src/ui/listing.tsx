import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { count, number } from '../lib/format.ts'
import { type ListPlan, listItems, pageIn, parameter, partOfAnswer } from '../lib/listing.ts'
import { setQuery } from '../lib/router.ts'
import { ListBar } from './list-bar.tsx'
import { Pager } from './pager.tsx'

/** Shorter lists can be seen at a glance. */
const LEAST_FOR_BAR = 8
const NARROW = '(max-width: 900px)'

type Props<T> = {
  items: readonly T[]
  /** One item, such as `server`, and many, if that is not with an s. */
  one: string
  many?: string
  plan: Omit<ListPlan<T>, 'size'>
  /** Items of a page on wide and on narrow screens: about two screens. */
  sizes: readonly [wide: number, narrow: number]
  query: URLSearchParams
  children: (shown: readonly T[]) => ComponentChildren
}

/** A list that is here as a whole: its search, its choices, and the part that the address asks for. */
export function Listing<T>({ items, one, many = `${one}s`, plan, sizes, query, children }: Props<T>) {
  const size = usePageSize(sizes)
  const { shown, found, page, pages, isNarrowed } = listItems(items, { ...plan, size }, query)
  const { orders, choices = [], prefix } = plan
  const [first, ...others] = orders
  const list = useRef<HTMLDivElement>(null)
  const sort = { name: 'sort', label: 'Order', every: first?.title ?? '', options: others.map(toOption) }
  return (
    <>
      {(items.length >= LEAST_FOR_BAR || isNarrowed) && (
        <ListBar
          find={`Find ${/^[aeiou]/.test(one) ? 'an' : 'a'} ${one}`}
          query={query}
          choices={[
            ...choices.map(({ name, every, options }) => ({ name, label: every, every, options })),
            ...(others.length > 0 ? [sort] : []),
          ]}
          {...(prefix ? { prefix } : {})}
          list={list}
        />
      )}
      <p class={isNarrowed ? 'small mute above' : 'vh'} role="status">
        {isNarrowed ? `${number(found)} of ${count(items.length, one, many)}` : ''}
      </p>
      <div ref={list}>{found === 0 && isNarrowed ? <NoMatch plan={plan} many={many} /> : children(shown)}</div>
      <Pager page={page} pages={pages} of={many} name={parameter('page', prefix)} list={list} />
    </>
  )
}

const toOption = ({ name, title }: { name: string; title: string }) => ({ value: name, title })

function NoMatch<T>({ plan: { choices = [], prefix }, many }: { plan: Omit<ListPlan<T>, 'size'>; many: string }) {
  const names = ['search', 'page', ...choices.map(({ name }) => name)]
  return (
    <NothingFound
      show={`Show all ${many}`}
      onShow={() => setQuery(Object.fromEntries(names.map((name) => [parameter(name, prefix), null])))}
    />
  )
}

/** Instead of a list in which nothing matches. */
export function NothingFound({ show, onShow }: { show: string; onShow: () => void }) {
  return (
    <p class="go">
      <span class="mute">Nothing matches.</span>
      <button type="button" class="btn s" onClick={onShow}>
        {show}
      </button>
    </p>
  )
}

/** The size of a page on this screen. Follows its width. */
export function usePageSize([wide, narrow]: readonly [number, number]): number {
  const [isNarrow, setNarrow] = useState(() => matchMedia(NARROW).matches)
  useEffect(() => {
    const media = matchMedia(NARROW)
    const follow = () => setNarrow(media.matches)
    media.addEventListener('change', follow)
    return () => media.removeEventListener('change', follow)
  }, [])
  return isNarrow ? narrow : wide
}

type PartOptions = {
  query: URLSearchParams
  /** What the list has, such as `requests`. */
  of: string
  /** Of the parameter of the page. */
  name?: string
  sizes: Props<unknown>['sizes']
  /** Items of an answer of the service: a multiple of both sizes. */
  answerSize: number
}

/** The part that the address asks for, of a list that the service has in parts. */
export function useAnswerPart({ query, of, name = 'page', sizes, answerSize }: PartOptions) {
  const size = usePageSize(sizes)
  const page = pageIn(query, name)
  const { answer, from } = partOfAnswer(page, size, answerSize)
  return {
    /** The page to ask the service for. */
    answer,
    shown: <T,>(items: readonly T[]): readonly T[] => items.slice(from, from + size),
    pager: (total: number) => <Pager page={page} pages={Math.max(1, Math.ceil(total / size))} of={of} name={name} />,
  }
}
