import { comparedLines } from './compared-lines.ts'
import { type ClientCommand, argumentOf, given, optionOf } from './client-command.ts'

const SERVER = ['<server>', 'id or slug of the server'] as const
const ADDRESS = ['<address>', 'address of the section, with its anchor'] as const
const QUESTION = ['<question...>', 'the question'] as const
const OPTIONS = [
  ['--never', 'leave the section out for the question, instead of showing it first'],
  ['--heading <headings>', 'headings of the section, on pages whose headings have no anchors'],
] as const

type Section = { title: string; heading: string; url: string }

const nameOf = ({ title, heading }: Section): string => (heading === '' ? title : `${title} › ${heading}`)
const questionIn = (words: readonly string[]): string => words.join(' ')

/** The input of a pin. */
function pinOf([server = '', url = '', ...words]: readonly string[], options: Readonly<Record<string, unknown>>) {
  const effect = options['never'] === true ? ('never' as const) : ('first' as const)
  return {
    id: server,
    url,
    effect,
    questions: [questionIn(words)],
    ...given({ heading: optionOf(options, 'heading') }),
  }
}

export const PIN_COMMANDS: readonly ClientCommand[] = [
  {
    name: 'pins list',
    about: 'List the sections that a server shows first for some questions, or never.',
    arguments: [SERVER],
    async run(client, args) {
      const answer = await client.pins.list({ id: argumentOf(args, 0) })
      const rows = answer.pins.map((pin) => [
        pin.id,
        pin.isStale ? 'stale' : pin.effect,
        nameOf(pin),
        pin.questions.join(' | '),
      ])
      const stale = answer.pins.some(({ isStale }) => isStale)
      return {
        json: answer,
        table: [['pin', 'effect', 'section', 'questions'], ...rows],
        ...(stale ? { notes: ['The section of a stale pin is gone: the pin does nothing.'] } : {}),
      }
    },
  },
  {
    name: 'pins add',
    about: 'Show a section first for a question, or never.',
    arguments: [SERVER, ADDRESS, QUESTION],
    options: OPTIONS,
    async run(client, args, options) {
      const answer = await client.pins.create(pinOf(args, options))
      return { json: answer, lines: [answer.pin.id, nameOf(answer.pin)] }
    },
  },
  {
    name: 'pins preview',
    about: 'Show the answers to a question with and without a pin, and how many of the last calls it would change.',
    arguments: [SERVER, ADDRESS, QUESTION],
    options: OPTIONS,
    async run(client, args, options) {
      const answer = await client.pins.preview(pinOf(args, options))
      const compared = answer.answers.flatMap(comparedLines)
      const calls = answer.past.length === 1 ? '1 logged call' : `${answer.past.length} logged calls`
      const tried = `${calls} would get another answer.${answer.complete ? '' : ' There was no time for all of them.'}`
      return { json: answer, lines: [nameOf(answer.section), ...compared, '', tried] }
    },
  },
  {
    name: 'pins find',
    about: 'Find sections that could answer a question, and say if there seems to be none.',
    arguments: [SERVER, QUESTION],
    async run(client, [server = '', ...words]) {
      const answer = await client.pins.sections({ id: server, question: questionIn(words) })
      const rows = answer.sections.map((section) => [nameOf(section), section.url])
      return {
        json: answer,
        table: [['section', 'address'], ...rows],
        ...(answer.remark === null ? {} : { notes: [answer.remark] }),
      }
    },
  },
  {
    name: 'pins remove',
    about: 'Delete a pin.',
    arguments: [SERVER, ['<pin>', 'id of the pin']],
    destroys: 'the pin {1}',
    async run(client, args) {
      const answer = await client.pins.delete({ id: argumentOf(args, 0), pinId: argumentOf(args, 1) })
      return { json: answer, lines: ['The pin is deleted.'] }
    },
  },
]
