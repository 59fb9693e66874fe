import type { CallToolResult, Client } from '@modelcontextprotocol/client'
import { z } from 'zod'

export type RemoteList<T> = {
  items: T[]
  /** Number of unreadable entries. */
  malformed: number
  /** The list was truncated at our limit. */
  cut: boolean
}

export type RemoteBlock = z.output<typeof RemoteBlockSchema>
export type RemoteTool = z.output<typeof RemoteToolSchema>
export type RemoteResource = z.output<typeof RemoteResourceSchema>

export type RemoteResult = {
  blocks: RemoteBlock[]
  /** Structured content beside or instead of the blocks, or undefined. */
  structured: unknown
  /** The tool or the server reports that the call failed. */
  isError: boolean
}

/** A session with a remote MCP server of either era. All of its content is untrusted. */
export type RemoteSession = ReturnType<typeof remoteSession>

/** Deadline of a part of a session, `ms` after its start. */
type Deadline = { signal: AbortSignal; ms: number }
export const deadlineOf = (ms: number): Deadline => ({ signal: AbortSignal.timeout(ms), ms })

/** Awaits a request and maps its failure to the right error. */
export type Told = <T>(asking: Promise<T>, deadline?: Deadline) => Promise<T>

type Options = {
  told: Told
  close: () => Promise<void>
  signal: AbortSignal
  /** Milliseconds for one request. */
  timeout: number
  /** Milliseconds for all pages of one list. */
  listMs: number
}

/** Maximum list pages. More tools are useless, and a list may never end. */
const MAX_PAGES = 20
const MAX_ITEMS = 2_000

/*
 * Lenient schemas for remote MCP servers: optional members of the wrong type count as absent, so that one bad entry
 * does not invalidate a list. All text is untrusted.
 */

const text = z.string().nullable().catch(null)
const object = z.record(z.string(), z.unknown())

const RemoteToolSchema = z.object({
  name: z.string().min(1),
  title: text,
  description: text,
  inputSchema: object.catch({ type: 'object' }),
  outputSchema: object.nullable().catch(null),
  annotations: z
    .object({
      title: text,
      readOnlyHint: z.boolean().nullable().catch(null),
      destructiveHint: z.boolean().nullable().catch(null),
    })
    .nullable()
    .catch(null),
})

const described = { title: text, description: text, mimeType: text }

const RemoteResourceSchema = z.object({ uri: z.string().min(1), name: text, ...described })

const RemoteTemplateSchema = z.object({ uriTemplate: z.string().min(1), name: text, ...described })

const RemotePromptSchema = z.object({
  name: z.string().min(1),
  title: text,
  description: text,
  arguments: z
    .array(z.object({ name: z.string(), description: text, required: z.boolean().nullable().catch(null) }))
    .nullable()
    .catch(null),
})

/** A resource's contents: `text`, or `blob` in base64. */
const RemoteContentsSchema = z.object({ uri: text, mimeType: text, text, blob: text })

/** One block of a tool's result: `text`, `image`, `audio`, `resource`, `resource_link`, or a future type. */
const RemoteBlockSchema = z.object({
  type: z.string(),
  text,
  mimeType: text,
  uri: text,
  name: text,
  resource: RemoteContentsSchema.nullable().catch(null),
})

/** Requests over a client. Schemas of the server are never compiled: a pattern in one could take hours. */
export function remoteSession(client: Client, { told, close, listMs, ...options }: Options) {
  const { tools, resources, prompts } = client.getServerCapabilities() ?? {}
  const version = client.getServerVersion()

  const list = async <T>(method: string, member: string, item: z.ZodType<T>, isOffered: unknown) => {
    const found: RemoteList<T> = { items: [], malformed: 0, cut: false }
    if (!isOffered) return found
    const deadline = deadlineOf(listMs)
    const limited = { ...options, signal: AbortSignal.any([options.signal, deadline.signal]) }
    let params = {}
    for (let page = 0; page < MAX_PAGES && found.items.length < MAX_ITEMS; page++) {
      const answer = await told(client.request({ method, params }, pageOf(member), limited), deadline)
      for (const entry of answer[member] as unknown[]) {
        const { data } = item.safeParse(entry)
        if (data === undefined) found.malformed++
        else found.items.push(data)
      }
      const cursor = answer['nextCursor']
      if (typeof cursor !== 'string') return found
      params = { cursor }
    }
    return { ...found, cut: true }
  }

  return {
    about: {
      name: version?.title ?? version?.name ?? null,
      version: version?.version ?? null,
      instructions: client.getInstructions() ?? null,
    },
    listTools: () => list('tools/list', 'tools', RemoteToolSchema, tools),
    listResources: () => list('resources/list', 'resources', RemoteResourceSchema, resources),
    listTemplates: () => list('resources/templates/list', 'resourceTemplates', RemoteTemplateSchema, resources),
    listPrompts: () => list('prompts/list', 'prompts', RemotePromptSchema, prompts),
    async readResource(uri: string) {
      const read = { method: 'resources/read', params: { uri } }
      return (await told(client.request(read, ReadSchema, options))).contents
    },
    /** A server's error response to the call also counts as a result. */
    async callTool({ name, inputSchema }: RemoteTool, args: Record<string, unknown>): Promise<RemoteResult> {
      // Omits the output schema, which the client would compile.
      const toolDefinition = { name, inputSchema: { ...inputSchema, type: 'object' as const } }
      const calling = client.callTool({ name, arguments: args }, { ...options, toolDefinition })
      const result = await told(calling.catch(refusalOf))
      const blocks = result.content.flatMap((block) => RemoteBlockSchema.safeParse(block).data ?? [])
      return { blocks, structured: result.structuredContent, isError: result.isError === true }
    },
    [Symbol.asyncDispose]: close,
  }
}

const ReadSchema = z.object({ contents: z.array(RemoteContentsSchema) })

const pageOf = (member: string) =>
  z.looseObject({ [member]: z.array(z.unknown()), nextCursor: z.string().nullish().catch(null) })

/** A JSON-RPC error is the server's answer to the call. Other errors are not. */
function refusalOf(error: unknown): CallToolResult {
  const isProtocolError = error instanceof Error && 'code' in error && typeof error.code === 'number'
  if (!isProtocolError) throw error
  return { content: [{ type: 'text', text: error.message }], isError: true }
}
