import type { ServerRow } from '#store/servers.ts'
import type { SourceStates } from '#store/sources.ts'

export const isoTime = (at: number): string => new Date(at).toISOString()

export const endpointUrl = (baseUrl: string, slug: string): string => `${baseUrl}/api/mcp/${slug}`

/** Client configuration to paste. Access tokens are shown once only, so a private server's has a placeholder. */
export function configSnippet(baseUrl: string, { slug, visibility }: Pick<ServerRow, 'slug' | 'visibility'>): string {
  const headers = visibility === 'private' ? { headers: { Authorization: 'Bearer <ACCESS_TOKEN>' } } : {}
  const entry = { type: 'http', url: endpointUrl(baseUrl, slug), ...headers }
  return JSON.stringify({ mcpServers: { [slug]: entry } }, null, 2)
}

/** The state of a live server: busy while anything is to be done, else judged by what its sources came to. */
export function serverStatus({ total, complete, busy }: SourceStates, openJobs = 0): 'crawling' | 'active' | 'error' {
  if (busy > 0 || openJobs > 0) return 'crawling'
  return complete > 0 || total === 0 ? 'active' : 'error'
}

/** The fields that the list and the detail share. */
export function summaryFields(baseUrl: string, server: ServerRow, sourceCount: number) {
  return {
    id: server.id,
    slug: server.slug,
    name: server.name,
    description: server.description,
    visibility: server.visibility,
    url: endpointUrl(baseUrl, server.slug),
    sourceCount,
    toolCount: (JSON.parse(server.tools) as string[]).length,
    createdAt: isoTime(server.createdAt),
    updatedAt: isoTime(server.updatedAt),
  }
}
