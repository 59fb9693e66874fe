import { type ClientCommand, argumentOf, given, optionOf } from './client-command.ts'

const SERVER = ['<server>', 'id or slug of the server'] as const
const SOURCE = ['<source>', 'id of the source'] as const
const HEAD = ['source', 'type', 'address', 'status', 'pages', 'failed', 'read', 'not fetched', 'next']

export const SOURCE_COMMANDS: readonly ClientCommand[] = [
  {
    name: 'sources list',
    about: 'List the sources of a server.',
    arguments: [SERVER],
    async run(client, args) {
      const { sources } = await client.servers.get({ id: argumentOf(args, 0) })
      const rows = sources.map(({ id, type, url, crawlStatus, pagesIndexed, pagesFailed, ...source }) => {
        const { lastIndexedAt, refresh, nextRefreshAt } = source
        const notFetched = refresh ? `${refresh.notFetched} of ${refresh.unchanged} unchanged` : ''
        const counts = [String(pagesIndexed), String(pagesFailed)]
        return [id, type, url, crawlStatus, ...counts, lastIndexedAt ?? '', notFetched, nextRefreshAt ?? '']
      })
      return { json: sources, table: [HEAD, ...rows] }
    },
  },
  {
    name: 'sources add',
    about: 'Add a source to a server, and start indexing it.',
    canWatch: true,
    arguments: [SERVER, ['<url>', 'its address']],
    options: [
      ['--label <text>', 'display name'],
      ['--type <type>', 'website, docs, repo, api, mcp or pdf (default: detected)'],
    ],
    async run(client, args, options) {
      const source = await client.sources.add({
        id: argumentOf(args, 0),
        url: argumentOf(args, 1),
        ...given({ label: optionOf(options, 'label'), type: optionOf(options, 'type') as 'docs' | undefined }),
      })
      return {
        json: source,
        lines: [`${source.id}  ${source.type}  ${source.url}`],
        indexing: { server: argumentOf(args, 0), only: new Set([source.id]) },
      }
    },
  },
  {
    name: 'sources remove',
    about: 'Remove a source and everything indexed from it.',
    arguments: [SERVER, SOURCE],
    destroys: 'the source {1} of {0}, with everything indexed from it',
    async run(client, args) {
      const answer = await client.sources.remove({ id: argumentOf(args, 0), sourceId: argumentOf(args, 1) })
      const said = answer.removed === 0 ? 'The server has no such source.' : 'The source is removed.'
      return { json: answer, lines: [said] }
    },
  },
  {
    name: 'sources push',
    about: 'Show the address and the secret with which code hosts and deploy hooks report changes of a source.',
    arguments: [SERVER, SOURCE],
    options: [['--new', 'make it, in place of an earlier one']],
    async run(client, [id = '', sourceId = ''], options) {
      const source = { id, sourceId }
      const answer =
        options['new'] === true ? await client.pushes.makeAddress(source) : await client.pushes.address(source)
      const { url, secret, lastPushAt, lastPushFrom } = answer
      if (url === null || secret === null) return { json: answer, lines: ['There is none. Make one with --new.'] }
      const last = lastPushAt === null ? 'never' : `${lastPushAt} (${lastPushFrom ?? ''})`
      return { json: answer, lines: [`address    ${url}`, `secret     ${secret}`, `last push  ${last}`] }
    },
  },
  {
    name: 'sources exclude',
    about: 'Leave out the paths of a source that match patterns, instead of those left out before.',
    arguments: [SERVER, SOURCE, ['<pattern...>', 'such as /blog/* or *.pdf$']],
    async run(client, [id = '', sourceId = '', ...exclude]) {
      const source = await client.sources.update({ id, sourceId, exclude })
      return { json: source, lines: [`Left out: ${source.exclude.join(' ')}`] }
    },
  },
  {
    name: 'sources versions',
    about:
      'Read further versions of a source, instead of those read before: tags, branches, folders of a site, or newest:3.',
    arguments: [SERVER, SOURCE, ['<version...>', 'such as v1.2 or 2.x']],
    async run(client, [id = '', sourceId = '', ...versions]) {
      const source = await client.sources.update({ id, sourceId, versions })
      return { json: source, lines: [`Read too: ${source.versions.join(' ')}`] }
    },
  },
]
