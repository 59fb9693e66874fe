import { withoutSection } from '#lib/addresses/page-address.ts'
import type { Scope } from '#library/library.ts'
import type { OpenPage } from '#library/library-page.ts'
import { oneLine } from '#mcp/passages/frame.ts'
import type { ToolContext } from '#mcp/definition/tool.ts'
import { ToolError } from '../definition/tool-result.ts'

/** Pages with a similar address that a refusal names. */
const SUGGESTED = 3

/**
 * Opens the indexed page at an address. A fragment is ignored. Throws a `ToolError` that names similar pages if no page
 * has the address.
 */
export async function findPage(
  { library, search }: Pick<ToolContext, 'library' | 'search'>,
  url: string,
  scope: Scope = {},
): Promise<OpenPage> {
  const page = await library.pageAt(url, scope)
  const [opened] = page === null ? [] : await library.open([page])
  if (opened) return opened
  const words = url
    .replace(/^[a-z]+:\/\/[^/]*/i, '')
    .replaceAll(/\W+/g, ' ')
    .trim()
  const { passages } = words === '' ? { passages: [] } : await search({ query: words, limit: SUGGESTED, ...scope })
  const similar = [...new Set(passages.map((each) => withoutSection(each.url)))]
  const others = similar.length > 0 ? ` Pages like it: ${similar.join(', ')}.` : ''
  throw new ToolError('arguments', `No page with the address ${oneLine(url, 300)} is indexed.${others}`)
}
