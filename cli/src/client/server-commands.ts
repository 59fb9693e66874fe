import type { Output } from '@docent/sdk'
import { countOf } from '../count-of.ts'
import { type ClientCommand, type Shown, argumentOf, given, listOf, optionOf } from './client-command.ts'
import { exportServer, importServer } from './server-files.ts'

const SERVER = ['<server>', 'id or slug of the server'] as const

const CRAWL: Omit<ClientCommand, 'name'> = {
  about: 'Index all sources of a server again, or one of them.',
  arguments: [SERVER],
  options: [['--source <id>', 'the only source to index']],
  canWatch: true,
  async run(client, args, options) {
    const server = argumentOf(args, 0)
    const sourceId = optionOf(options, 'source')
    const answer = await client.servers.crawlOne({ id: server, ...given({ sourceId }) })
    const only = sourceId === undefined ? {} : { only: new Set([sourceId]) }
    const queued = `${countOf(answer.queued, 'source')} ${answer.queued === 1 ? 'is' : 'are'} queued.`
    return { json: answer, lines: [queued], indexing: { server, ...only } }
  },
}

export const SERVER_COMMANDS: readonly ClientCommand[] = [
  {
    name: 'servers list',
    about: 'List the servers with their state and endpoint.',
    async run(client) {
      const servers = await client.servers.list()
      if (servers.length === 0) return { json: servers, notes: ['The account has no servers yet.'] }
      const rows = servers.map(({ slug, status, sourceCount, visibility, url }) => {
        return [slug, status, String(sourceCount), visibility, url]
      })
      return { json: servers, table: [['server', 'status', 'sources', 'visibility', 'endpoint'], ...rows] }
    },
  },
  {
    name: 'servers get',
    about: 'Show a server with its sources.',
    arguments: [SERVER],
    run: async (client, args) => showServer(await client.servers.get({ id: argumentOf(args, 0) })),
  },
  {
    name: 'servers create',
    about: 'Create a server from addresses, and start indexing them.',
    arguments: [
      ['<name>', 'name of the server'],
      ['<url...>', 'addresses of its sources'],
    ],
    options: [
      ['--private', 'answer only callers with an access token'],
      ['--tools <names>', 'names of its tools, with commas between them'],
      ['--description <text>', 'description for people'],
    ],
    canWatch: true,
    async run(client, [name = '', ...urls], options) {
      const made = await client.servers.create({
        name,
        sources: urls.map((url) => ({ url })),
        visibility: options['private'] === true ? 'private' : 'public',
        ...given({ tools: listOf(options, 'tools'), description: optionOf(options, 'description') }),
      })
      const { slug, url, accessToken, ignoredSourceReasons = [] } = made
      const ignored = ignoredSourceReasons.map((each) => `ignored   ${each.url}: ${each.reason}`)
      const token = accessToken === null ? [] : [`token     ${accessToken}  (shown only now)`]
      return {
        json: made,
        lines: [`server    ${slug}`, `endpoint  ${url}`, ...token, ...ignored],
        indexing: { server: made.serverId },
      }
    },
  },
  { ...CRAWL, name: 'servers crawl' },
  { ...CRAWL, name: 'index' },
  {
    name: 'servers export',
    about: 'Write a server with its pages, rules and tools to one file, without secrets.',
    arguments: [SERVER, ['<file>', 'the new file, such as docs.docent.gz']],
    run: async (_client, args, _options, around) => exportServer(argumentOf(args, 0), argumentOf(args, 1), around),
  },
  {
    name: 'servers import',
    about: 'Make a server from an exported file, without reading its sources again.',
    arguments: [['<file>', 'the exported file']],
    options: [['--public', 'public, if the exported server was']],
    canWatch: true,
    run: async (client, args, options) => importServer(client, argumentOf(args, 0), options['public'] === true),
  },
  {
    name: 'servers pages',
    about: 'Say who can read the pages of a server over HTTP: off, unlisted or listed.',
    arguments: [SERVER, ['<state>', 'off, unlisted or listed']],
    async run(client, args) {
      const webPages = argumentOf(args, 1) as Output<'servers.get'>['webPages']
      const server = await client.servers.update({ id: argumentOf(args, 0), webPages })
      const lists = `${server.url}/llms.txt lists them.`
      return { json: server, lines: [`The pages are ${webPages}. ${webPages === 'off' ? '' : lists}`.trim()] }
    },
  },
  {
    name: 'servers delete',
    about: 'Delete a server. It can be restored for seven days.',
    arguments: [SERVER],
    destroys: 'the server {0}; its endpoint stops answering at once',
    async run(client, args) {
      const answer = await client.servers.delete({ id: argumentOf(args, 0) })
      return { json: answer, lines: [`The server is deleted. It can be restored until ${answer.purgeAt}.`] }
    },
  },
  {
    name: 'servers restore',
    about: 'Restore a deleted server.',
    arguments: [SERVER],
    run: async (client, args) => showServer(await client.servers.restore({ id: argumentOf(args, 0) })),
  },
]

function showServer(server: Output<'servers.get'>): Shown {
  const { slug, name, status, visibility, url, tools, sources } = server
  return {
    json: server,
    lines: [
      `${slug}  ${name}`,
      `${status}, ${visibility}, ${url}`,
      `tools: ${tools.join(', ')}`,
      ...sources.map((source) => {
        const state = source.crawlError ?? `${source.crawlStatus}, ${countOf(source.pagesIndexed, 'page')}`
        return `${source.id}  ${source.type}  ${source.url}  ${state}`
      }),
    ],
  }
}
