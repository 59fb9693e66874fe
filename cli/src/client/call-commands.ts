import type { DocentApi } from '../try/docent-api.ts'
import { CommandError } from '../command-error.ts'
import { EXIT } from '../exit-codes.ts'
import {
  type Around,
  type ClientCommand,
  type Options,
  type Shown,
  argumentOf,
  given,
  numberOf,
  optionOf,
} from './client-command.ts'

const SERVER = ['<server>', 'id or slug of the server'] as const
const TOKEN = ['--token <token>', 'access token of a private server (default: DOCENT_ACCESS_TOKEN)'] as const

/** Commands that call the tools of a server, as clients do. */
export const CALL_COMMANDS: readonly ClientCommand[] = [
  {
    name: 'ask',
    about: 'Ask a server one question.',
    arguments: [SERVER, ['<question...>', 'in plain words']],
    options: [TOKEN],
    isOpen: true,
    async run(_client, [server = '', ...words], options, around) {
      const [{ askQuestion }, { formatAnswer }] = await Promise.all([
        import('../try/ask-question.ts'),
        import('../try/converse.ts'),
      ])
      const answer = await askQuestion(await connect(around, options), server, words.join(' '), around.signal)
      return { json: answer, lines: [formatAnswer(around.terminal, answer).replace(/\n$/, '')] }
    },
  },
  {
    name: 'search',
    about: 'Search a server.',
    arguments: [SERVER, ['<query...>', 'in plain words']],
    options: [
      TOKEN,
      ['--limit <number>', 'how many results'],
      ['--source <source>', 'label or id of the only source to search'],
      ['--cursor <cursor>', 'where the results of an earlier search go on'],
    ],
    isOpen: true,
    async run(_client, [server = '', ...words], options, around) {
      const [limit, source, cursor] = [
        numberOf(options, 'limit'),
        optionOf(options, 'source'),
        optionOf(options, 'cursor'),
      ]
      const input = { query: words.join(' '), ...given({ limit, source, cursor }) }
      const shown = await callTool(around, options, { server, tool: 'search_docs', input })
      return { ...shown, notes: shown.notes?.map(asOption) ?? [] }
    },
  },
  {
    name: 'call',
    about: 'Call a tool of a server.',
    arguments: [SERVER, ['<tool>', 'name of the tool'], ['[name=value...]', 'its arguments']],
    options: [TOKEN],
    isOpen: true,
    async run(_client, args, options, around) {
      const input = Object.fromEntries(args.slice(2).map(readPair))
      return callTool(around, options, { server: argumentOf(args, 0), tool: argumentOf(args, 1), input })
    },
  },
]

/** The advice of the tool for more results, for this command. */
const asOption = (note: string): string =>
  note.replace(/^More: call search_docs again with cursor "([^"]+)"\.$/, 'More: the same command with --cursor $1')

type ToolCall = { server: string; tool: string; input: object }

async function callTool(around: Around, options: Options, { server, tool, input }: ToolCall): Promise<Shown> {
  const api = await connect(around, options)
  const frames = await api.callTool(server, tool, input, around.signal)
  const passages = frames.passages.map(({ n, title, heading, url, text }) => {
    return [`[${n}] ${heading ? `${title} › ${heading}` : title}\n${url}`, text].filter(Boolean).join('\n\n')
  })
  return { json: frames, lines: [[frames.lead, ...passages].filter(Boolean).join('\n\n')], notes: frames.notes }
}

async function connect({ instance }: Around, options: Options): Promise<DocentApi> {
  const { connectApi } = await import('../try/docent-api.ts')
  const { url, apiKey, accessToken } = instance
  return connectApi({ url, key: apiKey, accessToken: optionOf(options, 'token') ?? accessToken })
}

/** `name=value`, whose value is JSON if it can be: `limit=3` is a number. */
function readPair(pair: string): [string, unknown] {
  const at = pair.indexOf('=')
  if (at < 1) throw new CommandError(`"${pair}" is no argument: write name=value.`, EXIT.usage)
  const text = pair.slice(at + 1)
  try {
    return [pair.slice(0, at), JSON.parse(text)]
  } catch {
    return [pair.slice(0, at), text]
  }
}
