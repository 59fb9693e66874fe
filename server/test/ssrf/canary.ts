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
  const to = searchParams.get('to') ?? ''
  const hostile = urls[Number(/^[a-z]+(\d+)\.public\.test/.exec(request.headers.host ?? '')?.[1] ?? -1)] ?? ''
  const location = (url: string) => encodeURI(url.replace(/[\r\n\t]/g, '')).replaceAll('%25', '%')
  switch (pathname) {
    case '/r':
      response.writeHead(Number(searchParams.get('c')), { location: location(to) }).end()
      break
    case '/meta':
      response.end(`<meta http-equiv="refresh" content="0; url=${to}"><p>page</p>`)
      break
    case '/refresh':
      response.writeHead(200, { refresh: `0; url=${location(to)}` }).end('page')
      break
    case '/hop':
      response.writeHead(302, { location: location(hostile) }).end()
      break
    case '/robots.txt':
      if (request.headers.host?.startsWith('robots')) response.writeHead(302, { location: location(hostile) }).end()
      else response.end(`User-agent: *\nAllow: /\nSitemap: ${hostile}\n`)
      break
    case '/sitemap.xml':
      response.end(`<urlset><url><loc><![CDATA[${hostile}]]></loc></url></urlset>`)
      break
    case '/sitemap-index.xml':
      response.end(`<sitemapindex><sitemap><loc><![CDATA[${hostile}]]></loc></sitemap></sitemapindex>`)
      break
    case '/llms.txt':
      response.end(`# Docs\n- [page](${hostile})\n- <${hostile}>\n- ${hostile}\n`)
      break
    default:
      response.end('page')
  }
}
