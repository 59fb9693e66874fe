import type { Output } from '@docent/sdk'
import { type ClientCommand, type Shown, argumentOf, given, optionOf } from './client-command.ts'

const SERVER = ['<server>', 'id or slug of the server'] as const

export const SERVER_COMMANDS: readonly ClientCommand[] = [
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
    async run(client, [name = '', ...urls], options) {
      const made = await client.servers.create({
        name,
        sources: urls.map((url) => ({ url })),
        visibility: options['private'] === true ? 'private' : 'public',
        ...given({ tools: optionOf(options, 'tools')?.split(','), description: optionOf(options, 'description') }),
      })
      const { slug, url, accessToken, ignoredSourceReasons = [] } = made
      const ignored = ignoredSourceReasons.map((each) => `ignored   ${each.url}: ${each.reason}`)
      const token = accessToken === null ? [] : [`token     ${accessToken}  (shown only now)`]
      return { json: made, lines: [`server    ${slug}`, `endpoint  ${url}`, ...token, ...ignored] }
    },
  },
  {
    name: 'servers crawl',
    about: 'Index all sources of a server again, or one of them.',
    arguments: [SERVER],
    options: [['--source <id>', 'the only source to index']],
    async run(client, args, options) {
      const sourceId = optionOf(options, 'source')
      const answer = await client.servers.crawlOne({ id: argumentOf(args, 0), ...given({ sourceId }) })
      return { json: answer, lines: [`${answer.queued} sources are queued.`] }
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
  {
    name: 'servers logs',
    about: 'Show the calls of a server, newest first.',
    arguments: [SERVER],
    options: [
      ['--tool <name>', 'only calls of this tool'],
      ['--client <name>', 'only calls by this client'],
      ['--errors', 'only calls that failed'],
      ['--range <range>', '7d, 30d, 90d, 1y or all'],
      ['--page <number>', 'page of the list, from 1'],
    ],
    async run(client, args, options) {
      const answer = await client.analytics.calls({
        id: argumentOf(args, 0),
        ...given({
          tool: optionOf(options, 'tool'),
          client: optionOf(options, 'client'),
          page: optionOf(options, 'page'),
        }),
        ...given({ range: optionOf(options, 'range') as '7d' | undefined }),
        ...(options['errors'] === true ? { status: 'error' } : {}),
      })
      const rows = answer.calls.map((call) => [
        call.at,
        call.tool,
        call.status,
        `${Math.round(call.durationMs)} ms`,
        call.error ?? JSON.stringify(call.arguments),
      ])
      return { json: answer, table: [['time', 'tool', 'status', 'duration', 'arguments or error'], ...rows] }
    },
  },
  {
    name: 'servers stats',
    about: 'Show how a server is used.',
    arguments: [SERVER],
    options: [['--range <range>', '7d, 30d, 90d, 1y or all']],
    async run(client, args, options) {
      const range = optionOf(options, 'range') as '7d' | undefined
      const answer = await client.analytics.report({ id: argumentOf(args, 0), ...given({ range }) })
      const head = `${answer.totalCalls} calls, ${answer.failedCalls} failed, ${Math.round(answer.avgDurationMs)} ms on average`
      const unanswered = (answer.unanswered ?? []).map(({ query, calls }) => `unanswered  ${query}  (${calls})`)
      const used = answer.toolUsage.map(
        ({ name, calls, successRate }) => `${name}  ${calls} calls, ${successRate}% without error`,
      )
      return { json: answer, lines: [head, ...used, ...unanswered] }
    },
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
        const state = source.crawlError ?? `${source.crawlStatus}, ${source.pagesIndexed} pages`
        return `${source.id}  ${source.type}  ${source.url}  ${state}`
      }),
    ],
  }
}
