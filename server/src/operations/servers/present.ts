import { isoTime } from '#lib/clock.ts'
import { TOKEN_PLACEHOLDER, snippetOf } from '@docent/contract/values/client-snippets'
import type { ServerRow, ListedServer, SourceStates } from '#store/servers/servers.ts'

export const endpointUrl = (baseUrl: string, slug: string): string => `${baseUrl}/api/mcp/${slug}`

/**
 * Client configuration to paste. For a private server it contains a placeholder, because tokens are shown only once.
 */
export function configSnippet(baseUrl: string, { slug, visibility }: Pick<ServerRow, 'slug' | 'visibility'>): string {
  const token = visibility === 'private' ? TOKEN_PLACEHOLDER : null
  return snippetOf({ slug, url: endpointUrl(baseUrl, slug), token })
}

export type ServerStatus = 'crawling' | 'active' | 'error'

/** State of a live server: busy while work remains, otherwise derived from the results of its sources. */
export function serverStatus({ total, complete, busy }: SourceStates, openJobs = 0): ServerStatus {
  if (busy > 0 || openJobs > 0) return 'crawling'
  return complete > 0 || total === 0 ? 'active' : 'error'
}

type Summarised = Omit<ListedServer, keyof SourceStates | 'deletedAt' | 'purgeAt'>

/** Fields shared by list and detail. */
export function summaryFields<S extends string>(
  baseUrl: string,
  server: Summarised,
  { total, status }: { total: number; status: S },
) {
  const createdAt = isoTime(server.createdAt)
  return {
    id: server.id,
    slug: server.slug,
    name: server.name,
    description: server.description,
    visibility: server.visibility,
    status,
    url: endpointUrl(baseUrl, server.slug),
    sourceCount: total,
    toolCount: (JSON.parse(server.tools) as string[]).length,
    createdAt,
    // Most servers are unchanged since creation, and date formatting takes a tenth of the time of a list of thousands.
    updatedAt: server.updatedAt === server.createdAt ? createdAt : isoTime(server.updatedAt),
  }
}
