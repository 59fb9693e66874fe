import { z } from 'zod'

/** Fields of several operations, with their descriptions. */

export const ServerParameterSchema = z.object({ id: z.string().describe('Id or slug of the server') })

export const ok = z.literal(true).describe('Always `true`; a failure has `error` instead')
export const createdAt = z.iso.datetime().describe('Time of creation')
export const updatedAt = z.iso.datetime().describe('Time of the last change')
export const sourceId = z.string().describe('Id of the source')
export const serverId = z.string().describe('Id of the server')
export const slug = z.string().describe('Name of the server in its address; it never changes')
export const issuedAt = z.iso.datetime().describe('Time of issue')

export const visibility = z
  .enum(['public', 'private'])
  .describe('`public` servers answer anybody, `private` ones only callers with an access token')

export const selectedTools = z.array(z.string()).describe('Names of the tools that the server exposes')

export const ServerStatusSchema = z
  .enum(['crawling', 'active', 'error'])
  .describe('`crawling` while any work remains; `error` if no source could be indexed')

/** Members of an answer with one page of a list. */
export function paging<const Size extends number>(size: Size) {
  return {
    page: z.number().int().describe('Number of this page of the list, from 1'),
    pageSize: z.literal(size).describe('Entries per page'),
    total: z.number().int().describe('Entries on all pages'),
    totalPages: z.number().int().describe('Number of pages'),
  }
}

export const pageParameter = z.coerce
  .number()
  .int()
  .min(1)
  .max(1_000_000)
  .default(1)
  .describe('Page of the list, from 1')

/** Entries of a page of a list by the account-level endpoint, and of a page without `limit`. */
export const LISTED_BY_TOOL = 50
const MOST_LISTED = 500

/** For the reference of such a list. */
export const LISTED_WHOLE =
  'Without `limit` and `cursor`, the answer is the whole list. With one of them it is one page, and a `Link` header with `rel="next"` has the address of the next page, if there is one.'

/** A page of a list that can also be read whole. */
export const listPosition = {
  limit: z.coerce.number().int().min(1).max(MOST_LISTED).optional().describe('Entries of the page, at most'),
  cursor: z.string().max(200).optional().describe('Where the page begins: from the answer with the page before'),
}
