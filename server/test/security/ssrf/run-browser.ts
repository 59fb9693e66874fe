import { execFile } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openRenderer } from '#net/browser/open-renderer.ts'
import { createNetClient, type NetClient } from '#net/client.ts'
import { parseNetworks } from '#net/judge-address.ts'
import { startCanary } from './canary.ts'
import {
  HOSTILE_HEADERS,
  HOSTILE_PAGE,
  HOSTILE_SERVICE_WORKER,
  REBINDING,
  REDIRECTING,
  WAYS,
  portOf,
} from './hostile-page.ts'
import { startNameServer } from './name-server.ts'

/** Report of the run on standard output, as JSON. */
export type BrowserReport = {
  /** Ways that reached a private address during rendering. */
  reached: string[]
  /** Names that something other than the guarded client resolved. */
  leaked: string[]
  /** True if the page was read to its end. */
  read: boolean
  /** Ways reached when the guard allows every network: proves that the attempts are made. */
  unguarded: string[]
  /** Ways reached by a browser without our client: proves that the canary sees direct connections. */
  unbound: string[]
}

const PAGE = 'https://page.public.test/'

/** Renders a page that tries everything, in the network that `enter.sh` sets up. */
async function main(program: string): Promise<BrowserReport> {
  const asked = await startNameServer()
  const canary = await startCanary([80, ...WAYS.map(portOf)], [])
  const datagrams: string[] = []
  for (const way of WAYS) await listenForDatagrams(portOf(way), () => datagrams.push(`udp:${portOf(way)}`))
  const reached = () => {
    const ports = new Set([...canary.forbidden.splice(0), ...datagrams.splice(0)].map((to) => Number(/\d+$/.exec(to))))
    return WAYS.filter((way) => ports.has(portOf(way)))
  }

  const render = async (networks: string) => {
    await using net = createNetClient({ allowNetworks: parseNetworks(networks), userAgent: 'Docent/0 (test)' })
    await using renderer = openRenderer({ program, userAgent: 'Docent/0 (test)', isolate: false })
    const { html } = await renderer.render(PAGE, withPage(net, networks), new AbortController().signal)
    return html.includes('All has been tried.')
  }
  const read = await render('')
  const first = reached()
  const leaked = [...asked].filter((name) => !['public.test', 'rb1-10-0-0-1.test', 'localhost'].includes(name))
  await render('0.0.0.0/0, ::/0')
  const unguarded = reached()
  await leaveAlone(program)
  return { reached: first, leaked, read, unguarded, unbound: reached() }
}

/** Answers the page itself at an address that browsers trust; other requests go to the client. */
function withPage(net: NetClient, networks: string): Pick<NetClient, 'fetch'> {
  const answer = (url: string, headers: Record<string, string>, text: string) => ({
    url,
    status: 200,
    headers,
    bytes: new TextEncoder().encode(text),
  })
  return {
    async fetch(url, request) {
      if (url === PAGE) return answer(url, HOSTILE_HEADERS, HOSTILE_PAGE)
      if (url === `${PAGE}sw.js`) return answer(url, { 'content-type': 'text/javascript' }, HOSTILE_SERVICE_WORKER)
      if (url === `${PAGE}redirecting`) return net.fetch(REDIRECTING, request)
      // A fresh client resolves the name again, as after a closed connection.
      if (url.startsWith(`${PAGE}rebinding`)) {
        await using again = createNetClient({ allowNetworks: parseNetworks(networks), userAgent: 'Docent/0 (test)' })
        return await again.fetch(REBINDING, request)
      }
      return net.fetch(url, request)
    },
  }
}

/** Opens the page in an unmodified browser for as long as its attempts take. */
async function leaveAlone(program: string): Promise<void> {
  const profile = await mkdtemp(join(tmpdir(), 'docent-test-'))
  const url = `data:text/html;base64,${Buffer.from(HOSTILE_PAGE).toString('base64')}`
  const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', `--user-data-dir=${profile}`]
  await new Promise((resolve) => {
    // The timeout ends it, which is not a failure.
    execFile(program, [...flags, '--remote-debugging-port=0', url], { timeout: 8_000, killSignal: 'SIGKILL' }, resolve)
  })
  await rm(profile, { recursive: true, force: true, maxRetries: 5 })
}

async function listenForDatagrams(port: number, onMessage: () => void): Promise<void> {
  const socket = createSocket('udp6')
  socket.on('message', onMessage)
  await new Promise<void>((resolve) => socket.bind(port, '::', resolve))
}

process.stdout.write(JSON.stringify(await main(process.argv[2] ?? '')), () => process.exit(0))
