import { DocentError } from '#errors.ts'
import { GiveUp } from '#jobs/errors.ts'
import { type RemoteCredential, connectRemoteMcp } from '#upstream/connect-remote-mcp.ts'
import type { RemoteSession } from '#upstream/remote-session.ts'
import type { RemoteResource } from '#upstream/remote-shapes.ts'
import { UpstreamError } from '#upstream/upstream-error.ts'
import { describePrompt } from '../extract/mcp/describe-prompt.ts'
import { contentsMarkdown, describeResource } from '../extract/mcp/describe-resource.ts'
import { describeServer } from '../extract/mcp/describe-server.ts'
import { describeTool } from '../extract/mcp/describe-tool.ts'
import { oneLineOf } from '../extract/mcp/one-line-of.ts'
import { paceRequests } from '../pace-requests.ts'
import { addressEntries } from './address-entries.ts'
import type { SourceDocument, SourceOmission, WholeReader } from './source-document.ts'

export type Deps = {
  /** Of the service, as it introduces itself. */
  version: string
  /** What the source's server is sent to be let in, or null. */
  credentialFor: (sourceId: string) => Promise<RemoteCredential | null>
}

/** Milliseconds for reading a whole server. */
const TOTAL_MS = 10 * 60_000
/** Resources whose contents are read. A server that has more is a search engine, which is better asked live. */
const MAX_READ = 1_000
/** So many resources in a row that could not be read: the server is down, and what was indexed before is better. */
const GIVE_UP_AFTER = 10

type Item = SourceDocument | SourceOmission

/**
 * Reads remote MCP servers of both eras: each tool, prompt, resource and resource template becomes a document, beside
 * one for the server itself. Their addresses are the source's own with a parameter that says what they are about:
 * `?tool=NAME`, `?prompt=NAME`, `?resource=URI`, `?template=URI`. Nothing is called, and everything that the server says
 * is indexed as a stranger's text.
 */
export function createRemoteMcpReader({ version, credentialFor }: Deps): WholeReader {
  return async function* (deps, source) {
    const credential = await credentialFor(source.id).catch((error: unknown) => {
      // Missing keys come back by an operator's hand, not by another try.
      if (error instanceof DocentError) throw new GiveUp(error.message, { cause: error })
      throw error
    })
    const remote = { url: source.url, credential, signal: deps.signal, totalMs: TOTAL_MS }
    try {
      await using session = await connectRemoteMcp({ net: paceRequests(deps), version }, remote)
      yield* readServer(session, source.url)
    } catch (error) {
      if (error instanceof UpstreamError) throw new GiveUp(sentenceFor(error, credential), { cause: error })
      throw error
    }
  }
}

function sentenceFor({ reason, message }: UpstreamError, credential: RemoteCredential | null): string {
  if (reason !== 'refused') return message
  return credential === null
    ? 'The MCP server asks for a credential. Add the one it gave you to this source.'
    : `${message} Give this source a new one.`
}

async function* readServer(session: RemoteSession, url: string): AsyncGenerator<Item> {
  const { about } = session
  const server = oneLineOf(about.name ?? '') || new URL(url).host
  const tools = await session.listTools()
  const prompts = await session.listPrompts()
  const templates = await session.listTemplates()
  const resources = await session.listResources()

  const offers = { tools: tools.items, prompts: prompts.items }
  yield document(url, server, describeServer({ ...about, name: server }, offers))
  for (const entry of addressEntries(url, 'tool', tools, ({ name }) => name)) {
    yield entry.kind === 'entry'
      ? document(entry.url, titleOf('tool', entry.item.name, server), describeTool(entry.item, server))
      : entry
  }
  for (const entry of addressEntries(url, 'prompt', prompts, ({ name }) => name)) {
    yield entry.kind === 'entry'
      ? document(entry.url, titleOf('prompt', entry.item.name, server), describePrompt(entry.item, server))
      : entry
  }
  for (const entry of addressEntries(url, 'template', templates, ({ uriTemplate }) => uriTemplate)) {
    if (entry.kind === 'entry') {
      const template = { ...entry.item, uri: entry.item.uriTemplate }
      yield document(entry.url, titleOf('resources', nameOf(template), server), describeResource(template, server))
    } else yield entry
  }
  const entries = addressEntries(url, 'resource', resources, ({ uri }) => uri)
  yield* readResources(session, entries, server)
}

type Entries = ReturnType<typeof addressEntries<RemoteResource>>

async function* readResources(session: RemoteSession, entries: Entries, server: string): AsyncGenerator<Item> {
  let read = 0
  let failuresInARow = 0
  for (const entry of entries) {
    if (entry.kind !== 'entry') {
      yield entry
      continue
    }
    if (read++ >= MAX_READ) {
      const detail = `Of one server the contents of ${MAX_READ} resources are read.`
      yield { kind: 'skipped', url: entry.url, reason: 'too_many', detail }
      continue
    }
    const item = await readResource(session, entry, server)
    failuresInARow = item.kind === 'failed' ? failuresInARow + 1 : 0
    if (failuresInARow >= GIVE_UP_AFTER) {
      throw new GiveUp(`${GIVE_UP_AFTER} resources in a row could not be read. ${detailOf(item)}`)
    }
    yield item
  }
}

async function readResource(
  session: RemoteSession,
  { item: resource, url }: { item: RemoteResource; url: string },
  server: string,
): Promise<Item> {
  try {
    const parts = await session.readResource(resource.uri)
    const contents = parts.flatMap((part) => {
      const mimeType = part.mimeType ?? resource.mimeType
      return contentsMarkdown(resource.uri, { ...part, mimeType }) ?? []
    })
    if (contents.length > 0 || resource.description) {
      return document(url, titleOf('resource', nameOf(resource), server), describeResource(resource, server, contents))
    }
    return { kind: 'skipped', url, reason: 'not_text', detail: 'The resource holds no text that could be searched.' }
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    return { kind: 'failed', url, reason: 'unreadable', detail: error.message }
  }
}

function detailOf(item: Item): string {
  return 'detail' in item ? item.detail : ''
}

function nameOf({ title, name, uri }: { title: string | null; name: string | null; uri: string }): string {
  return title ?? name ?? uri
}

function titleOf(kind: string, name: string, server: string): string {
  return `${oneLineOf(name)} (${kind} of ${server})`
}

function document(url: string, title: string, markdown: string): SourceDocument {
  return { kind: 'document', url, title, markdown, language: null }
}
