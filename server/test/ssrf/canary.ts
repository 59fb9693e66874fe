import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { PUBLIC_ADDRESSES } from './public-addresses.ts'

export type Canary = {
  /** `address:port` of every connection to an address that is not public. */
  forbidden: string[]
}

/**
 * Listens on every address of the machine, which in the tests' network is every address there is. On public ones it
 * plays the web: `/r` redirects, `/meta` and `/refresh` do so by other means, and a host `<kind><index>.public.test`
 * leads to the hostile URL with that index through the given kind of file.
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
  if (pathname === '/r') redirect(response, Number(searchParams.get('c')), to)
  else if (pathname === '/hop' || (pathname === '/robots.txt' && kind === 'robots')) redirect(response, 302, hostile)
  else if (pathname === '/refresh') response.writeHead(200, { refresh: `0; url=${inHeader(to)}` }).end('page')
  else response.end(FILES[pathname]?.(hostile, to) ?? 'page')
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

/** Headers are ASCII without line breaks; what is encoded already stays as it is. */
function inHeader(url: string): string {
  return encodeURI(url.replace(/[\r\n\t]/g, '')).replaceAll('%25', '%')
}
