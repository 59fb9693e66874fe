/** An order of a list. `compare` is that of `Array.prototype.sort`. */
export type Order<T> = { name: string; title: string; compare: (a: T, b: T) => number }

/** A choice of some items. */
export type Choice<T> = {
  /** Of the parameter in the address, and for screen readers. */
  name: string
  /** For all items, such as `Every state`. */
  every: string
  options: readonly { value: string; title: string }[]
  fits: (item: T, value: string) => boolean
}

/** How a list is searched, sorted and narrowed down. */
export type ListPlan<T> = {
  /** The texts that a search reads. */
  textOf: (item: T) => string
  /** The first is the default. */
  orders: readonly Order<T>[]
  choices?: readonly Choice<T>[]
  /** Items of a page. */
  size: number
  /** Of the parameters in the address, for screens with several lists. */
  prefix?: string
}

export type Listed<T> = {
  shown: readonly T[]
  /** Items that match the search and the choices. */
  found: number
  page: number
  pages: number
  /** Whether a search or a choice is in the address. */
  isNarrowed: boolean
}

/** The parameter of a list in the address. */
export const parameter = (name: string, prefix = ''): string => (prefix === '' ? name : `${prefix}-${name}`)

/** The words of a search. All of them must be in a text, in any order. */
export const wordsOf = (search: string | null): string[] =>
  fold(search ?? '')
    .split(/\s+/)
    .filter(Boolean)

/** The part of a list that its address asks for. A page after the last one is the last one. */
export function listItems<T>(items: readonly T[], plan: ListPlan<T>, query: URLSearchParams): Listed<T> {
  const { textOf, orders, choices = [], size, prefix } = plan
  const asked = (name: string) => query.get(parameter(name, prefix))
  const words = wordsOf(asked('search'))
  const chosen = choices.flatMap(({ name, options, fits }) => {
    const value = asked(name)
    return value !== null && options.some((option) => option.value === value) ? [(item: T) => fits(item, value)] : []
  })
  const found = items.filter((item) => {
    const text = words.length > 0 ? fold(textOf(item)) : ''
    return words.every((word) => text.includes(word)) && chosen.every((fits) => fits(item))
  })
  const order = orders.find(({ name }) => name === asked('sort')) ?? orders[0]
  const sorted = order ? found.toSorted(order.compare) : found
  const pages = Math.max(1, Math.ceil(sorted.length / size))
  const page = Math.min(pages, pageIn(query, parameter('page', prefix)))
  return {
    shown: sorted.slice((page - 1) * size, page * size),
    found: found.length,
    page,
    pages,
    isNarrowed: words.length > 0 || chosen.length > 0,
  }
}

/** The page that an address asks for, from 1. */
export function pageIn(query: URLSearchParams, name = 'page'): number {
  const page = Number(query.get(name) ?? 1)
  return Number.isSafeInteger(page) && page > 1 ? page : 1
}

/** The answer that holds a page of `size` items, and the first of them. Answers of the service are larger. */
export function partOfAnswer(page: number, size: number, answerSize: number): { answer: number; from: number } {
  const perAnswer = Math.floor(answerSize / size)
  return { answer: Math.floor((page - 1) / perAnswer) + 1, from: ((page - 1) % perAnswer) * size }
}

export const newestFirst = (a: { createdAt: string }, b: { createdAt: string }): number =>
  b.createdAt.localeCompare(a.createdAt)

/** The default order of most lists. */
export const NEWEST = { name: 'newest', title: 'Newest first', compare: newestFirst } as const

/** An order by a text. */
export const byText = <T>(name: string, title: string, textOf: (item: T) => string): Order<T> => ({
  name,
  title,
  compare: (a, b) => textOf(a).localeCompare(textOf(b), undefined, { numeric: true, sensitivity: 'base' }),
})

/** Letters without case and accents. */
const fold = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
