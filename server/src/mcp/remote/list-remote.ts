import { z } from 'zod'
import { REMOTE_TOOL_NAME } from '@docent/contract/values/sources'
import type { ServedSource } from '#store/servers/served.ts'
import type { RemoteTool } from '#upstream/remote-session.ts'
import { DocentError } from '#errors.ts'
import { UpstreamError } from '#upstream/upstream-error.ts'
import { fence, formatPassage, oneLine, packBlocks, paragraphs } from '../passages/format-citation.ts'
import { outcomeOfResults } from '../definition/outcome.ts'
import { sourceMember, ToolError } from '../definition/tool-result.ts'
import type { RemoteTools, ToolAnswer, ToolContext } from '../definition/tool.ts'

/** Maximum bytes of the list. A typical tool takes 500. */
const LIST_BYTES = 24_000
/** Maximum characters of a tool's description and of its schema. Search covers the full text. */
const MAX_DESCRIPTION = 1_000
const MAX_SCHEMA = 4_000

const NOT_CALLED =
  'Tools marked "not called" do not say that they only read (readOnlyHint). The owner of this server can allow them by name, with "allowedTools" of the source.'

/** The tools of a source, as data. Descriptions are untrusted and therefore fenced. */
export const remoteListOutput = z.object({
  source: sourceMember,
  tools: z.array(z.object({ name: z.string(), isCallable: z.boolean(), description: z.string() })),
})

/** Lists the current tools of a source with their arguments. */
export async function listRemote(
  context: ToolContext,
  source: ServedSource,
  signal: AbortSignal | undefined,
): Promise<ToolAnswer<z.output<typeof remoteListOutput>>> {
  const { items: listed, cut } = await askRemote(context, source, { ask: (session) => session.listTools(), signal })
  const items = listed.filter(hasPlainName)
  const mayCall = (tool: RemoteTool) => isReadOnly(tool) || (source.allowedTools ?? []).includes(tool.name)
  const place = oneLine(source.label ?? new URL(source.url).host)
  const passages = items.map((tool, index) => {
    const heading = mayCall(tool) ? tool.name : `${tool.name} (not called)`
    return { n: index + 1, title: place, heading, url: source.url, text: describe(tool) }
  })
  const packed = packBlocks(
    passages.map((passage) => formatPassage(passage.n, passage, passage.text)),
    LIST_BYTES,
  )
  const shown = items.slice(0, packed.length)
  const hidden = items.length - shown.length
  const oddNames = listed.length - items.length
  const notes = [
    ...(listed.length === 0 ? ['The source lists no tools.'] : []),
    ...(hidden > 0 || cut ? [`${cut ? 'Many' : hidden} more are not shown: search this source for them.`] : []),
    ...(oddNames > 0 ? [`Tools left out because of unusual characters in their names: ${oddNames}.`] : []),
    ...(shown.every(mayCall) ? [] : [NOT_CALLED]),
    ...(shown.some(mayCall) ? ['To call one: query_source with this source, tool and arguments.'] : []),
  ]
  return {
    text: packed.join('\n\n'),
    passages: passages.slice(0, shown.length),
    notes,
    outcome: outcomeOfResults(shown),
    data: {
      source: { id: source.id, url: source.url, label: source.label },
      tools: shown.map((tool) => ({
        name: tool.name,
        isCallable: mayCall(tool),
        description: fencedDescription(tool),
      })),
    },
  }
}

function describe(tool: RemoteTool): string {
  const schema = JSON.stringify(tool.inputSchema)
  const isLong = schema.length > MAX_SCHEMA
  const schemaText = isLong ? '(its schema is long: search this source for it)' : fence(schema, 'json')
  return paragraphs(fencedDescription(tool), schemaText)
}

function fencedDescription({ description }: RemoteTool): string {
  const text = description ?? ''
  const isLong = text.length > MAX_DESCRIPTION
  return text && fence(isLong ? `${text.slice(0, MAX_DESCRIPTION).toWellFormed()}…` : text)
}

/** Queries a remote MCP server live. Remote errors and a disconnected caller become tool failures with a message. */
export async function askRemote<T>(
  { connectRemote }: Pick<ToolContext, 'connectRemote'>,
  source: ServedSource,
  { ask, signal }: { ask: (session: RemoteTools) => Promise<T>; signal: AbortSignal | undefined },
): Promise<T> {
  try {
    await using session = await connectRemote(source, signal)
    return await ask(session)
  } catch (error) {
    if (signal?.aborted) throw new ToolError('failed', 'The caller left before the answer came.')
    if (error instanceof UpstreamError || (error instanceof DocentError && error.code === 'credentials_unavailable')) {
      throw new ToolError('failed', error.message)
    }
    throw error
  }
}

/** True if the tool declares itself read-only and declares nothing to the contrary. */
export function isReadOnly({ annotations }: RemoteTool): boolean {
  return annotations?.readOnlyHint === true && annotations.destructiveHint !== true
}

/** Names appear outside fences. A name that could contain a sentence is neither shown nor called. */
export function hasPlainName({ name }: RemoteTool): boolean {
  return REMOTE_TOOL_NAME.test(name)
}
