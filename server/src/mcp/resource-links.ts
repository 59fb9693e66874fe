import { oneLine, type Cited } from './frame.ts'
import type { ContentBlock } from './tool.ts'

/** One link for every page an answer cites, for clients that show or open them. */
export function resourceLinks(cited: readonly Cited[]): ContentBlock[] {
  const pages = new Map(cited.map(({ url, title }) => [url, title] as const))
  return [...pages].map(([uri, title]) => ({ type: 'resource_link', uri, name: oneLine(title) || uri }))
}
