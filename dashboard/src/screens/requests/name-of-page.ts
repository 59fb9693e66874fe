import { shortAddress } from '../../lib/format.ts'

type Page = { url: string; title: string }

/** The title of a page. Pages whose title repeats, or is empty, are told apart by their addresses. */
export function nameOfPage({ url, title }: Page, all: readonly Page[]): string {
  if (!title) return shortAddress(url)
  const isRepeated = all.filter((other) => other.title === title).length > 1
  return isRepeated ? `${title} (${shortAddress(url)})` : title
}
