import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { drawPdf } from '../../lib/draw-pdf.ts'
import { startRemoteMcp } from '../remote-mcp.ts'
import { type Page, startSite } from '../site.ts'
import { renderPage } from './render-page.ts'

const textOf = (file: string) => readFile(new URL(file, import.meta.url), 'utf8')

/** Pages of a text file, each below a line `@ /path`, optionally with `lang=`. */
async function pagesOf(file: string): Promise<Record<string, string>> {
  const parts = (await textOf(file)).split(/^@ /m).slice(1)
  const read = parts.map((part) => {
    const [head = '', ...lines] = part.split('\n')
    const [path = '', lang = 'lang=en'] = head.split(' ')
    return { path, lang: lang.replace('lang=', ''), markdown: lines.join('\n') }
  })
  const links = read.map(({ path }) => path)
  return Object.fromEntries(read.map(({ path, lang, markdown }) => [path, renderPage(markdown, { links, lang })]))
}

/** The manual of the operators, one page of lines. */
const MANUAL = [
  'Kestrel operator manual',
  'Restoring a backup: stop the broker, copy the file back and start it again.',
  'Moving to another machine: copy kestrel.toml and the storage, then change the DNS entry.',
  'The status lamp blinks orange while the broker replays its journal.',
]

function manual(): Page {
  const lines = MANUAL.map((text, at) => ({
    x: 60,
    y: 780 - 24 * at,
    text,
    size: at === 0 ? 18 : 11,
    font: 'sans' as const,
  }))
  const bytes = drawPdf([lines])
  return (_request, response) => void response.writeHead(200, { 'content-type': 'application/pdf' }).end(bytes)
}

/** Another product, whose pages have other forms: a heading per setting and term, a page per command and release. */
export async function startHeron() {
  const docs = await startSite({ ...(await pagesOf('./heron-docs.txt')), '/robots.txt': '' })
  const forum = await startSite({ ...(await pagesOf('./heron-forum.txt')), '/robots.txt': '' })
  const stations = await startRemoteMcp({
    register: (server) => {
      const inputSchema = { number: z.string() }
      const say = (text: string) => ({ content: [{ type: 'text' as const, text }] })
      const reads = { inputSchema, annotations: { readOnlyHint: true } }
      server.registerTool('lookup_station', reads, ({ number }) => say(`Station ${number} is in the harbour.`))
      server.registerTool('delete_station', { inputSchema, annotations: { destructiveHint: true } }, () => say('Gone.'))
    },
  })
  return {
    sources: [
      { url: `${docs.url}/`, label: 'Heron Handbook', type: 'docs' },
      { url: `${forum.url}/`, label: 'Pier Forum', type: 'website' },
      { url: stations.url, label: 'Stations', type: 'mcp' },
    ],
    async [Symbol.asyncDispose]() {
      for (const each of [docs, forum, stations]) await each[Symbol.asyncDispose]()
    },
  }
}

/** The sources of an invented product: documentation, wiki, API description, PDF manual, and an MCP server with one tool. */
export async function startKestrel() {
  const docs = await startSite({ ...(await pagesOf('./kestrel-docs.txt')), '/robots.txt': '' })
  const wiki = await startSite({ ...(await pagesOf('./harbor-wiki.txt')), '/robots.txt': '' })
  const api = await textOf('./openapi.json')
  const files = await startSite({
    '/openapi.json': (_request, response) =>
      void response.writeHead(200, { 'content-type': 'application/json' }).end(api),
    '/manual.pdf': manual(),
    '/robots.txt': '',
  })
  const tides = await startRemoteMcp({
    register: (server) => {
      const about = { description: 'Times of high and low tide for a harbor.', inputSchema: { harbor: z.string() } }
      server.registerTool('tide', { ...about, annotations: { readOnlyHint: true } }, ({ harbor }) => ({
        content: [{ type: 'text', text: `High tide at ${harbor}: 04:12 and 16:40.` }],
      }))
    },
  })
  return {
    sources: [
      { url: `${docs.url}/`, label: 'Kestrel documentation', type: 'docs' },
      { url: `${wiki.url}/`, label: 'Harbor Wiki', type: 'website' },
      { url: `${files.url}/openapi.json`, label: 'Kestrel API', type: 'api' },
      { url: `${files.url}/manual.pdf`, label: 'Operator manual', type: 'pdf' },
      { url: tides.url, label: 'Tides', type: 'mcp' },
    ],
    async [Symbol.asyncDispose]() {
      for (const each of [docs, wiki, files, tides]) await each[Symbol.asyncDispose]()
    },
  }
}
