import { sourceKind } from '@docent/contract/values/source-kinds'
import type { SourceDetection, SourceType } from '@docent/contract/values/sources'
import type { NetClient, NetResponse } from '#net/client.ts'
import { NetError } from '#net/net-error.ts'
import type { RobotsCache } from '#net/robots.ts'
import { connectRemoteMcp } from '#upstream/connect-remote-mcp.ts'
import { UpstreamError } from '#upstream/upstream-error.ts'
import type { PageReader } from '#readers/page-pool.ts'
import { oneLine } from '#lib/text/one-line.ts'
import type { DocumentStart } from '#extract/site/read-start.ts'
import { createScope, type Scope } from '#crawl/scope.ts'
import { createYielder } from '#lib/limits/yield-to-event-loop.ts'
import type { ListKind, ListTask, SiteList } from '#readers/read-list.ts'

type Deps = {
  net: Pick<NetClient, 'fetch'>
  pages: PageReader
  robots: RobotsCache
  /** Version of the service, sent to MCP servers. */
  version: string
}

export type Detected = Omit<SourceDetection, 'url'>

/** Milliseconds for the first request: a user is waiting at a form. */
const LOOK_MS = 8_000
/** Milliseconds for each further step. */
const ASK_MS = 6_000
/** The beginning of a document shows its type; whole documents are rarely larger. */
const MAX_BYTES = 4 * 1024 * 1024
const START_BYTES = 64 * 1024
const MAX_LABEL = 100
const TOO_MUCH = 'What the address answers takes too long to read.'

/** Statuses of a plain GET that suggest an endpoint with another protocol. */
const WANTS_OTHERWISE = new Set([400, 401, 403, 405, 406, 415, 426])

/**
 * Detects the type of source at a URL: by one request, and by a probe that it suggests, such as tools of an MCP server
 * or page lists of a site. `guess` is the type suggested by the URL, and is used if nothing else is found. Never throws
 * for failures of the remote side.
 */
export async function detectSource(deps: Deps, address: URL, guess: SourceType): Promise<Detected> {
  const response = await look(deps, address)
  if (response instanceof NetError) {
    const { message, reason } = response
    if (sourceKind(guess).hasTools) return (await probeMcp(deps, address)) ?? unseen(guess, message)
    // A large document is not read here, but it exists.
    return reason === 'too_large' ? { ...unseen(guess, null), reachable: true } : unseen(guess, message)
  }
  const { status } = response
  const contentType = response.headers['content-type'] ?? ''
  const isHtml = /html/i.test(contentType)
  const isEndpoint = WANTS_OTHERWISE.has(status) || (status < 400 && !isHtml && !/^text\/(?!event)/.test(contentType))
  const start = status < 400 ? await readInChild(deps, response) : null
  if (start === 'too much') return { ...unseen(guess, TOO_MUCH), reachable: true }
  const known = start && recognise(start, response, address, guess)
  if (known) return known
  if (sourceKind(guess).hasTools || (isEndpoint && !sourceKind(guess).isRepository)) {
    const mcp = await probeMcp(deps, address)
    if (mcp) return mcp
  }
  if (status >= 400) return refused(address, guess, status)
  return siteOf(deps, { address, response, guess, head: start?.head ?? null })
}

async function look({ net }: Deps, address: URL): Promise<NetResponse | NetError> {
  try {
    return await net.fetch(address.href, { totalMs: LOOK_MS, maxBytes: MAX_BYTES })
  } catch (error) {
    if (error instanceof NetError) return error
    throw error
  }
}

async function readInChild({ pages }: Deps, { url, bytes }: NetResponse): Promise<DocumentStart | 'too much'> {
  const signal = AbortSignal.timeout(ASK_MS)
  try {
    const task = { list: 'start', url, bytes: bytes.slice(0, START_BYTES) } as const
    return (await pages.readList(task, signal)) ?? 'too much'
  } catch (error) {
    if (signal.aborted) return 'too much'
    throw error
  }
}

function recognise(
  { isPdf, api, head }: DocumentStart,
  { headers }: NetResponse,
  address: URL,
  guess: SourceType,
): Detected | null {
  const contentType = headers['content-type'] ?? ''
  const found = { reachable: true, problem: null }
  if (sourceKind(guess).isRepository) {
    return { ...found, type: guess, label: label(head.title), reason: `Repository at ${address.host}.` }
  }
  const pdf = { ...found, type: 'pdf' as const, label: null }
  if (/^application\/pdf\b/i.test(contentType)) return { ...pdf, reason: 'PDF: the answer says that it is one.' }
  if (isPdf) return { ...pdf, reason: 'PDF: its first bytes say so.' }
  if (api === null || /html/i.test(contentType)) return null
  return { ...found, type: 'api', label: label(api.title), reason: `API: its content is ${api.format}.` }
}

/** Probes as MCP clients do: `server/discover` first, then `initialize`. Null if the server does not speak MCP. */
async function probeMcp({ net, version }: Deps, address: URL): Promise<Detected | null> {
  const found = { type: 'mcp' as const, reachable: true, problem: null }
  try {
    const remote = { url: address.href, credential: null, totalMs: ASK_MS }
    await using session = await connectRemoteMcp({ net, version }, remote)
    const { items } = await session.listTools()
    const tools = items.length === 1 ? '1 tool' : `${items.length} tools`
    return { ...found, label: label(session.about.name), reason: `MCP server: it answers as one, with ${tools}.` }
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error
    // Any endpoint may require a credential, so only the URL suggests an MCP server.
    if (error.reason !== 'refused' || !/\bmcp\b/.test(address.hostname + address.pathname)) return null
    return { ...found, label: null, reason: 'MCP server, by its address: it asks for a credential.' }
  }
}

function refused(address: URL, guess: SourceType, status: number): Detected {
  if (/\/(?:graphql|gql)\/?$/i.test(address.pathname) && status !== 404) {
    const reason = 'API: a GraphQL endpoint, by its address.'
    return { type: 'api', label: null, reachable: true, problem: null, reason }
  }
  return unseen(guess, `The address answered ${status}.`)
}

function unseen(guess: SourceType, problem: string | null): Detected {
  return { type: guess, label: null, reachable: false, problem, reason: 'Judged by the address alone.' }
}

type Site = { address: URL; response: NetResponse; guess: SourceType; head: DocumentStart['head'] | null }

async function siteOf(deps: Deps, { address, response, guess, head }: Site): Promise<Detected> {
  const landed = new URL(response.url)
  const signal = AbortSignal.timeout(ASK_MS)
  const rules = await deps.robots.of(landed.origin, signal).catch((error: unknown) => {
    if (error instanceof NetError) return null
    throw error
  })
  const scope = createScope({ start: address, landed })
  const lists = await lookForLists({ net: deps.net, pages: deps.pages, signal }, scope, rules?.sitemaps ?? [])
  const problem =
    rules === null || rules.state === 'unreachable'
      ? `The site's robots.txt cannot be read, and until it can be the site is not crawled.`
      : rules.allows(landed)
        ? null
        : `The site's robots.txt asks crawlers to stay away from this address.`
  return { label: label(head?.title), reachable: true, problem, ...describeSite(guess, head?.generator ?? null, lists) }
}

function label(title: string | null | undefined): string | null {
  const text = oneLine(title ?? '')
  return text === '' ? null : [...text].slice(0, MAX_LABEL).join('')
}

type ListDeps = { net: Pick<NetClient, 'fetch'>; pages: PageReader; signal: AbortSignal }

/** Pages of the source in llms.txt (`linked`) and in the sitemap, and the number of further sitemaps. */
type SiteLists = { linked: number; listed: number; sitemaps: number }

/** A larger list would take too long to wait for. */
const MAX_LIST_BYTES = 8 * 1024 * 1024

/** Looks for the page lists of a site, without following them. A list that cannot be fetched counts as missing. */
async function lookForLists(deps: ListDeps, scope: Scope, sitemaps: readonly string[]): Promise<SiteLists> {
  const { origin } = scope
  const [llms, sitemap] = await Promise.all([
    tryFetch(deps, new URL('/llms.txt', origin).href),
    tryFetch(deps, sitemaps[0] ?? new URL('/sitemap.xml', origin).href),
  ])
  const [links, listed] = await Promise.all([
    llms && tryRead(deps, { list: 'llmsTxt', ...llms }),
    sitemap && tryRead(deps, { list: 'sitemap', ...sitemap }),
  ])
  return {
    linked: await countWithin(scope, links?.links ?? []),
    listed: await countWithin(scope, listed?.pages ?? []),
    sitemaps: (listed?.sitemaps.length ?? 0) + Math.max(0, sitemaps.length - 1),
  }
}

/** Number of listed pages that belong to the source. A list can have 50,000 entries. */
async function countWithin(scope: Scope, listed: readonly { url: string }[]): Promise<number> {
  const turns = createYielder()
  let found = 0
  for (const { url } of listed) {
    const parsed = URL.parse(url)
    if (parsed !== null && scope.includes(scope.atHome(parsed))) found += 1
    if (turns.due()) await turns.turn()
  }
  return found
}

async function tryRead<K extends ListKind>(
  { pages, signal }: ListDeps,
  task: ListTask<K>,
): Promise<SiteList<K> | null> {
  try {
    return await pages.readList(task, signal)
  } catch (error) {
    if (signal.aborted) return null
    throw error
  }
}

async function tryFetch({ net, signal }: ListDeps, url: string): Promise<{ url: string; bytes: Uint8Array } | null> {
  try {
    const response = await net.fetch(url, { maxBytes: MAX_LIST_BYTES, signal })
    const isList = response.status === 200 && !/html/i.test(response.headers['content-type'] ?? '')
    return isList ? { url: response.url, bytes: response.bytes } : null
  } catch (error) {
    if (error instanceof NetError) return null
    throw error
  }
}

/** Documentation generators, by their name in `<meta name="generator">`. */
const DOCS_GENERATORS =
  /docusaurus|vitepress|vuepress|starlight|mkdocs|sphinx|gitbook|mintlify|nextra|antora|javadoc|rustdoc|doxygen|docsify|typedoc|mdbook|readthedocs|redocly|fumadocs/i

const count = new Intl.NumberFormat('en')

/** Returns the type of site, and the reason as a sentence: `Website: llms.txt with 214 pages, sitemap with 403.` */
function describeSite(guess: SourceType, generator: string | null, lists: SiteLists) {
  const madeWith = generator !== null && DOCS_GENERATORS.test(generator) ? ` made with ${generator.slice(0, 60)}` : ''
  const isDocs = guess === 'docs' || madeWith !== '' || lists.linked > 0
  const llmsTxt = lists.linked > 0 ? [`llms.txt with ${pages(lists.linked)}`] : []
  const found = [...llmsTxt, ...describeSitemap(lists)].join(', ')
  const how = found === '' ? 'no list of its pages, so that its links are followed' : found
  const type: SourceType = isDocs ? 'docs' : 'website'
  return { type, reason: `${isDocs ? 'Documentation' : 'Website'}${madeWith}: ${how}.` }
}

function describeSitemap({ linked, listed, sitemaps }: SiteLists): string[] {
  const further = sitemaps > 0 ? `${count.format(sitemaps)} further sitemaps` : ''
  if (listed === 0) return further === '' ? [] : [`a sitemap that leads to ${further}`]
  const number = linked > 0 ? count.format(listed) : pages(listed)
  return [`sitemap with ${number}${further && ` and ${further}`}`]
}

function pages(number: number): string {
  return number === 1 ? '1 page' : `${count.format(number)} pages`
}
