import { REPORT_TOOL } from '@docent/contract/values/tools'
import { confirm } from '../confirm.ts'
import { CommandError } from '../command-error.ts'
import { EXIT } from '../exit-codes.ts'
import { comparedLines } from './compared-lines.ts'
import { type ClientCommand, argumentOf, given, numberOf, optionOf, switchOf } from './client-command.ts'

const SERVER = ['<server>', 'id or slug of the server'] as const

const SENTENCE = ['<sentence...>', 'the rule'] as const

/** The API takes eight sources, each with an address of up to 500 characters. */
const MOST_SOURCES = 8
const MOST_ADDRESS = 500

type Understood = { understood: readonly string[]; removed: readonly string[] }

/** What a rule does, and the parts of its sentence that no rule can do. */
const understoodLines = ({ understood, removed }: Understood): string[] => [
  ...understood,
  ...removed.map((part) => `left out: ${part}`),
]

export const TOOL_COMMANDS: readonly ClientCommand[] = [
  {
    name: 'tools list',
    about: 'List the tools of a server, and those that it could have.',
    arguments: [SERVER],
    async run(client, args) {
      const answer = await client.tools.get({ id: argumentOf(args, 0) })
      const marked = (name: string) => (answer.tools.includes(name) ? 'yes' : 'no')
      const builtIn = [...answer.available, REPORT_TOOL].map(({ name, title }) => [name, marked(name), title])
      const custom = answer.customTools.map(({ id, displayName }) => [
        `custom:${id}`,
        marked(`custom:${id}`),
        displayName,
      ])
      return { json: answer, table: [['tool', 'selected', 'title'], ...builtIn, ...custom] }
    },
  },
  {
    name: 'tools change',
    about: 'Change the tools of a server.',
    arguments: [SERVER],
    options: [
      ['--set <names>', 'the whole selection, with commas between the names'],
      ['--add <names>', 'names to add'],
      ['--remove <names>', 'names to remove'],
    ],
    async run(client, args, options) {
      const [tools, add, remove] = ['set', 'add', 'remove'].map((name) => optionOf(options, name))
      const answer = await client.tools.change({ id: argumentOf(args, 0), ...given({ tools, add, remove }) })
      return { json: answer, lines: [answer.tools.join(', ')] }
    },
  },
  {
    name: 'tools build',
    about: 'Build a custom tool from a sentence on the sources of a server, and show what it is understood as.',
    arguments: [SERVER, ['<sentence...>', 'what the tool does']],
    async run(client, [server = '', ...words], _options, { terminal }) {
      const detail = await client.servers.get({ id: server })
      const sources = detail.sources
        .filter(({ url }) => url.length <= MOST_ADDRESS)
        .map(({ url, type, label }) => ({ url, type, label }))
        .slice(0, MOST_SOURCES)
      for await (const event of await client.customTools.create({ prompt: words.join(' '), sources })) {
        if (event.type === 'error') throw new CommandError(event.message, EXIT.error)
        if (event.type === 'progress') terminal.err(`${event.message}\n`)
        else {
          const { id, name, understood = '', leftOut = [] } = event.tool
          const add = `Add it with: docent tools change ${detail.slug} --add custom:${id}`
          const lines = [name, ...understoodLines({ understood: [understood], removed: leftOut }), add]
          return { json: event.tool, lines }
        }
      }
      throw new CommandError('The service ended the build without a result. Look at it in the dashboard.', EXIT.error)
    },
  },
  {
    name: 'rules list',
    about: 'List the retrieval rules of a server, in the order in which they run.',
    arguments: [SERVER],
    async run(client, args) {
      const { id: serverId } = await client.servers.get({ id: argumentOf(args, 0) })
      const answer = await client.retrievalRules.list({ serverId })
      const rows = answer.rules.map(({ id, enabled, priority, naturalLanguage }) => {
        return [id, enabled ? 'on' : 'off', String(priority), naturalLanguage]
      })
      return { json: answer, table: [['rule', 'state', 'priority', 'text'], ...rows] }
    },
  },
  {
    name: 'rules add',
    about: 'Write a retrieval rule in plain words, after showing what it is understood as.',
    arguments: [SERVER, SENTENCE],
    options: [['--yes', 'do not ask first']],
    async run(client, [server = '', ...words], options, { terminal }) {
      const { id: serverId } = await client.servers.get({ id: server })
      const rule = { serverId, naturalLanguage: words.join(' ') }
      if (options['yes'] !== true && terminal.isInteractive) {
        for (const line of understoodLines(await client.retrievalRules.preview(rule))) terminal.err(`${line}\n`)
        await confirm(terminal, { sentence: 'This saves the rule.', refused: 'Nothing was saved.' })
      }
      const answer = await client.retrievalRules.create(rule)
      return { json: answer, lines: [answer.rule.id, ...understoodLines(answer)] }
    },
  },
  {
    name: 'rules preview',
    about: 'Show what a retrieval rule is understood as, and how many of the last calls it would change.',
    arguments: [SERVER, SENTENCE],
    options: [['--question <question>', 'also show the answers to a question without and with the rule']],
    async run(client, [server = '', ...words], options) {
      const { id: serverId } = await client.servers.get({ id: server })
      const rule = { serverId, naturalLanguage: words.join(' '), ...given({ question: optionOf(options, 'question') }) }
      const answer = await client.retrievalRules.preview(rule)
      const { changed, checked } = answer
      const tried = `Of the last ${checked} different calls, ${changed.length} would find something else.`
      return { json: answer, lines: [...understoodLines(answer), tried, ...comparedLines(answer.answer)] }
    },
  },
  {
    name: 'rules change',
    about: 'Enable or disable a rule, or change its priority.',
    arguments: [['<rule>', 'id of the rule']],
    options: [
      ['--on', 'searches apply it'],
      ['--off', 'searches ignore it'],
      ['--priority <number>', '-100 to 100; higher ones run first'],
    ],
    async run(client, args, options) {
      const change = given({ enabled: switchOf(options), priority: numberOf(options, 'priority') })
      const answer = await client.retrievalRules.update({ ruleId: argumentOf(args, 0), ...change })
      return { json: answer, lines: [`${answer.rule.enabled ? 'on' : 'off'}, priority ${answer.rule.priority}`] }
    },
  },
  {
    name: 'rules remove',
    about: 'Delete a retrieval rule.',
    arguments: [['<rule>', 'id of the rule']],
    destroys: 'the rule {0}',
    async run(client, args) {
      return {
        json: await client.retrievalRules.delete({ ruleId: argumentOf(args, 0) }),
        lines: ['The rule is deleted.'],
      }
    },
  },
]
