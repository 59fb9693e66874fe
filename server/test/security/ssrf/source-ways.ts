import type { PageReader } from '#readers/page-pool.ts'
import { detectSource } from '#sources/detect-source.ts'
import { readApiDescription } from '#sources/api-description.ts'
import { readPdfSource } from '#sources/pdf.ts'
import { createRemoteMcpReader } from '#sources/remote-mcp.ts'
import { createRepositoryReader } from '#sources/repository/repository.ts'
import { fetchSiteTexts } from '#crawl/site-texts.ts'
import type { SourceReader } from '#sources/source-document.ts'
import type { NetClient } from '#net/client.ts'
import { readAddress } from '#net/check-url.ts'
import type { Pacer } from '#net/pacing.ts'
import { createRobotsCache } from '#net/robots.ts'
import { parseRobots } from '#net/robots-rules.ts'

/** A named way to use one hostile URL. */
export type Way = { name: string; take: (url: string, index: number) => Promise<unknown> }

/** No pauses between requests: thousands of them are made. */
const noPacer: Pacer = {
  acquire: async () => () => undefined,
  setCrawlDelay: () => undefined,
  pausedFor: () => 0,
  isRefusing: () => false,
}

/** Ways of sources other than sites, of source detection, and of a site's bulk texts. */
export function sourceWays(net: NetClient, pages: PageReader, userAgent: string): Way[] {
  const at = (kind: string, index: number, path: string) => `http://${kind}${index}.public.test${path}`
  const read = async (reader: SourceReader, address: string) => {
    const source = { id: 'src', serverId: 'srv', url: address, type: 'website' as const, cursor: null }
    const signal = AbortSignal.timeout(30_000)
    for await (const _ of reader({ net, pacer: noPacer, signal }, source)) void _
  }
  const repository = (githubApiUrl = 'http://nobody.public.test') =>
    createRepositoryReader({ githubApiUrl, version: '0' })
  const mcp = createRemoteMcpReader({ version: '0', credentialFor: async () => null })
  const detect = (address: string, guess: 'website' | 'mcp' | 'repo') => {
    const robots = createRobotsCache({ net, userAgent, parse: async (...given) => parseRobots(...given) })
    return detectSource({ net, pages, robots, version: '0' }, new URL(address), guess)
  }
  /** Uses the URL itself if it is accepted as input, at another path of its host if given. */
  const direct = (work: (address: string) => Promise<unknown>, path?: string) => async (url: string) => {
    const read = readAddress(url)
    const address = 'address' in read ? read.address : null
    if (address && !isPage(url)) await work(path === undefined ? address.href : new URL(path, address).href)
  }
  const behind =
    (kind: string, path: string, work: (address: string) => Promise<unknown>) => (_: string, index: number) =>
      work(at(kind, index, path))
  return [
    { name: 'detection', take: direct((url) => detect(url, 'website')) },
    { name: 'detection of MCP', take: direct((url) => detect(url, 'mcp')) },
    { name: 'detection, redirected', take: behind('hop', '/hop', (url) => detect(url, 'website')) },
    { name: 'detection, probe redirected', take: behind('hop', '/posted', (url) => detect(url, 'mcp')) },
    { name: 'detection, lists', take: behind('plain', '/', (url) => detect(url, 'website')) },
    { name: 'MCP', take: direct((url) => read(mcp, url)) },
    { name: 'MCP, redirected', take: behind('hop', '/posted', (url) => read(mcp, url)) },
    { name: 'MCP, authorisation', take: behind('auth', '/mcp', (url) => read(mcp, url)) },
    { name: 'PDF', take: direct((url) => read(readPdfSource, url)) },
    { name: 'PDF, redirected', take: behind('hop', '/hop', (url) => read(readPdfSource, url)) },
    { name: 'API', take: direct((url) => read(readApiDescription, url)) },
    { name: 'API, redirected', take: behind('hop', '/hop', (url) => read(readApiDescription, url)) },
    { name: 'GraphQL', take: direct((url) => read(readApiDescription, url), '/graphql') },
    { name: 'GraphQL, redirected', take: behind('posted', '/graphql', (url) => read(readApiDescription, url)) },
    {
      // One description refers to every hostile URL.
      name: 'API, references',
      take: async (_, index) => index > 0 || read(readApiDescription, at('refs', 0, '/openapi.json')),
    },
    { name: 'repository', take: direct((url) => read(repository(), url), '/acme/widgets') },
    { name: 'repository at Gitea', take: behind('gitea', '/acme/widgets', (url) => read(repository(), url)) },
    { name: 'repository at GitLab', take: behind('gitlab', '/acme/widgets', (url) => read(repository(), url)) },
    {
      name: 'repository at GitHub',
      take: behind('hub', '', (api) => read(repository(api), `${api}/acme/widgets`)),
    },
    { name: 'git, redirected', take: behind('git', '/acme/widgets.git', (url) => read(repository(), url)) },
    { name: 'git, pack redirected', take: behind('pack', '/acme/widgets.git', (url) => read(repository(), url)) },
    {
      name: 'llms-full.txt, redirected',
      take: behind('full', '', (origin) => fetchSiteTexts(textDeps(net, pages), origin)),
    },
    {
      name: 'llms-full.txt entry',
      take: behind('texts', '', async (origin) => {
        for (const page of (await fetchSiteTexts(textDeps(net, pages), origin)).keys()) await net.fetch(page)
      }),
    },
  ]
}

/** Pages that only a crawl would follow. Other ways to read them take long. */
function isPage(url: string): boolean {
  return /\/(meta|refresh)\?/.test(url)
}

/** Dependencies without limits, so that only the guard protects. */
function textDeps(net: NetClient, pages: PageReader): Parameters<typeof fetchSiteTexts>[0] {
  const rules = { normalize: (url: string) => url, allows: () => true, trapOf: () => null, variantOf: () => null }
  return { net, pages, rules, signal: AbortSignal.timeout(30_000) }
}
