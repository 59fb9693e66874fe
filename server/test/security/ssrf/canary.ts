import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { PUBLIC_ADDRESSES } from './public-addresses.ts'

export type Canary = {
  /** `address:port` of every connection to a non-public address. */
  forbidden: string[]
}

/**
 * Listens on every address of the machine, which in the test network is every address. On public ones it serves web
 * content: `/r` redirects, and `/meta` and `/refresh` redirect by other means. A host `<kind><index>.public.test` leads
 * to the hostile URL with that index through a file of that kind.
 */
export async function startCanary(ports: Iterable<number>, urls: string[]): Promise<Canary> {
  const forbidden: string[] = []
  for (const port of ports) {
    const server = createServer({ insecureHTTPParser: true }, (request, response) => answer(request, response, urls))
    server.on('connection', (socket) => {
      const address = (socket.localAddress ?? '').replace(/^::ffff:(?=\d+\.)/, '')
      if (!PUBLIC_ADDRESSES.has(address)) forbidden.push(`${address}:${port}`)
    })
    await new Promise<void>((resolve) => server.listen(port, '::', resolve))
  }
  return { forbidden }
}

function answer(request: IncomingMessage, response: ServerResponse, urls: string[]): void {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://public.test')
  const [, kind = '', index = '-1'] = /^([a-z]+)(\d+)\.public\.test/.exec(request.headers.host ?? '') ?? []
  const hostile = urls[Number(index)] ?? ''
  const to = searchParams.get('to') ?? ''
  const led = LEADING[kind]?.(pathname, hostile)
  if (led) response.writeHead(led.status ?? 200, led.headers).end(led.body)
  else if (pathname === '/r') redirect(response, Number(searchParams.get('c')), to)
  else if (pathname === '/hop' || (pathname === '/robots.txt' && kind === 'robots')) redirect(response, 302, hostile)
  else if (pathname === '/posted') redirect(response, 307, hostile)
  else if (pathname === '/refresh') response.writeHead(200, { refresh: `0; url=${inHeader(to)}` }).end('page')
  else if (kind === 'refs' && pathname === '/openapi.json') response.end(descriptionOf(urls))
  else {
    // Other paths must not return readable content, because each read takes a thread.
    const file = FILES[pathname]?.(hostile, to) ?? (/^(plain)?$/.test(kind) && pathname !== '/graphql' ? 'page' : null)
    response.writeHead(file === null ? 404 : 200).end(file ?? '')
  }
}

type Answer = { status?: number; headers?: Record<string, string>; body?: string }

const json = (value: object): Answer => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
})
/** A redirect that keeps method and body. */
const lead = (hostile: string): Answer => ({ status: 307, headers: { location: inHeader(hostile) } })

/** First answers of hosts in protocols with several requests; the next answer redirects. */
const LEADING: Record<string, (path: string, hostile: string) => Answer | null> = {
  gitea: (path, hostile) => (path === '/api/v1/repos/acme/widgets' ? json({ default_branch: 'main' }) : lead(hostile)),
  gitlab(path, hostile) {
    if (path.startsWith('/api/v1/')) return { status: 404 }
    return path === '/api/v4/projects/acme%2Fwidgets' ? json({ default_branch: 'main' }) : lead(hostile)
  },
  hub: (path, hostile) => (path === '/repos/acme/widgets' ? json({ default_branch: 'main' }) : lead(hostile)),
  git: (path, hostile) => (path.startsWith('/api/') ? { status: 404 } : lead(hostile)),
  pack(path, hostile) {
    if (path.startsWith('/api/')) return { status: 404 }
    return path.endsWith('/info/refs') ? ADVERTISEMENT : lead(hostile)
  },
  auth: (path, hostile) =>
    path.startsWith('/.well-known/')
      ? json({ authorization_servers: [hostile], token_endpoint: hostile, registration_endpoint: hostile })
      : { status: 401, headers: { 'www-authenticate': `Bearer resource_metadata="${inHeader(hostile)}"` } },
  full: (path, hostile) => (path === '/llms-full.txt' ? lead(hostile) : null),
  posted: (_, hostile) => lead(hostile),
  texts: (path, hostile) =>
    path === '/llms-full.txt'
      ? {
          body: Array.from(
            { length: 30 },
            (_, page) => `# Page ${page}\nSource: ${numbered(hostile, page)}\n\nText.\n`,
          ).join('\n'),
        }
      : null,
}

/** First answer of a git host with protocol version 2. */
const ADVERTISEMENT: Answer = {
  headers: { 'content-type': 'application/x-git-upload-pack-advertisement' },
  body: '001e# service=git-upload-pack\n0000000eversion 2\n0013ls-refs=unborn\n0012fetch=shallow\n0000',
}

function numbered(url: string, number: number): string {
  return `${url}${url.includes('?') ? '&' : '?'}n=${number}`
}

function descriptionOf(urls: string[]): string {
  const paths = urls.map((url, index) => [`/p${index}`, { get: { summary: 'x', requestBody: { $ref: `${url}#/a` } } }])
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'References', version: '1' },
    servers: urls.map((url) => ({ url })),
    paths: Object.fromEntries([...paths, ...urls.map((url, index) => [`/r${index}`, { $ref: url }])]),
  })
}

const FILES: Record<string, (hostile: string, to: string) => string> = {
  '/meta': (_, to) => `<meta http-equiv="refresh" content="0; url=${to}"><p>page</p>`,
  '/robots.txt': (hostile) => `User-agent: *\nAllow: /\nSitemap: ${hostile}\n`,
  '/sitemap.xml': (hostile) => `<urlset><url><loc><![CDATA[${hostile}]]></loc></url></urlset>`,
  '/sitemap-index.xml': (hostile) =>
    `<sitemapindex><sitemap><loc><![CDATA[${hostile}]]></loc></sitemap></sitemapindex>`,
  '/llms.txt': (hostile) => `# Docs\n- [page](${hostile})\n- <${hostile}>\n- ${hostile}\n`,
}

function redirect(response: ServerResponse, status: number, to: string): void {
  response.writeHead(status, { location: inHeader(to) }).end()
}

/** Headers are ASCII without line breaks; encoded parts stay unchanged. */
function inHeader(url: string): string {
  return encodeURI(url.replace(/[\r\n\t]/g, '')).replaceAll('%25', '%')
}
