import { OUTCOMES, type Outcome } from '@docent/contract/values/outcomes'
import type { DocentClient, Output } from '@docent/sdk'
import { countOf } from '../count-of.ts'
import { type ClientCommand, type Options, type Shown, argumentOf, given, optionOf } from './client-command.ts'
import { followCalls } from './follow-calls.ts'
import { PAGE, pageOf, showPage } from './show-page.ts'

const SERVER = ['<server>', 'id or slug of the server'] as const
const RANGE = ['--range <range>', 'the time it covers', ['7d', '30d', '90d', '1y', 'all']] as const
const BY = ['--by <what>', 'calls and latency by one of these', ['client', 'tool', 'configuration']] as const

type Call = Awaited<ReturnType<DocentClient['analytics']['calls']>>['calls'][number]

/** Which calls of the log. */
const FILTERS = [
  ['--tool <name>', 'only calls of this tool'],
  ['--client <name>', 'only calls by this client'],
  ['--outcome <outcome>', 'only calls that ended so', OUTCOMES],
  ['--errors', 'only calls that were refused or failed'],
  ['--configuration <id>', 'only calls of the widget with this configuration'],
  ['--end-user <id>', 'only questions of this user, by the id of your attribution tokens'],
  ['--feedback <what>', 'only questions about whose answer a visitor said this', ['helpful', 'not_helpful']],
  RANGE,
] as const

const LOGS: Omit<ClientCommand, 'name'> = {
  about: 'Show the calls of a server, newest first, or new ones as they come.',
  arguments: [SERVER],
  options: [...FILTERS, PAGE, ['--follow', 'show the newest calls, then each new call, until stopped']],
  async run(client, args, options) {
    const answer = await client.analytics.calls({ ...filterOf(args, options), ...pageOf(options) })
    const head = ['time', 'tool', 'outcome', 'duration', 'arguments or error']
    return showPage(answer, { head, rows: answer.calls.map(rowOf), none: 'There are no such calls.' })
  },
  async *follow(client, args, options, { signal }) {
    const filter = filterOf(args, options)
    const read = async (page: number) => (await client.analytics.calls({ ...filter, page }, { signal })).calls
    for await (const call of followCalls(read, signal)) yield { json: call, line: rowOf(call).join('  ') }
  },
}

const STATS: Omit<ClientCommand, 'name'> = {
  about: 'Show how a server is used.',
  arguments: [SERVER],
  options: [RANGE, BY],
  async run(client, args, options) {
    const range = optionOf(options, 'range') as '7d' | undefined
    const by = optionOf(options, 'by') as 'client' | undefined
    if (by) return showSeries(await client.analytics.series({ id: argumentOf(args, 0), by, ...given({ range }) }))
    const answer = await client.analytics.report({ id: argumentOf(args, 0), ...given({ range }) })
    const head = `${countOf(answer.totalCalls, 'call')}, ${answer.failedCalls} failed, ${Math.round(answer.avgDurationMs)} ms on average`
    const unanswered = (answer.unanswered ?? []).map(({ query, calls }) => `unanswered  ${query}  (${calls})`)
    const used = answer.toolUsage.map(
      ({ name, calls, successRate }) => `${name}  ${countOf(calls, 'call')}, ${successRate}% without error`,
    )
    return { json: answer, lines: [head, ...used, ...unanswered] }
  },
}

const UNANSWERED: Omit<ClientCommand, 'name'> = {
  about: 'List questions without a good answer, grouped by meaning.',
  arguments: [SERVER],
  options: [RANGE, PAGE],
  async run(client, args, options) {
    const answer = await client.analytics.unanswered({
      id: argumentOf(args, 0),
      ...given({ range: optionOf(options, 'range') as '7d' | undefined }),
      ...pageOf(options),
    })
    const rows = answer.groups.map(({ calls, notHelpful, reports, wordings, lastAskedAt, question }) => [
      String(calls),
      String(notHelpful),
      String(reports),
      String(wordings),
      lastAskedAt,
      question,
    ])
    const head = ['calls', 'not helpful', 'reported', 'wordings', 'last asked', 'question']
    return showPage(answer, { head, rows, none: 'There are no such questions.' })
  },
}

export const USAGE_COMMANDS: readonly ClientCommand[] = [
  { ...LOGS, name: 'servers logs' },
  { ...LOGS, name: 'logs' },
  { ...STATS, name: 'servers stats' },
  { ...STATS, name: 'stats' },
  { ...UNANSWERED, name: 'servers unanswered' },
  {
    name: 'calls export',
    about: 'Write the request log of a server to standard output, newest call first.',
    arguments: [SERVER],
    options: [...FILTERS, ['--format <format>', 'a table for spreadsheets or JSON (default: csv)', ['csv', 'json']]],
    async run(_client, args, options, around) {
      const format = options['json'] === true ? 'json' : (optionOf(options, 'format') ?? 'csv')
      const { exportCalls } = await import('./export-calls.ts')
      return exportCalls({ ...filterOf(args, options), format }, around)
    },
  },
]

function filterOf(args: readonly string[], options: Options) {
  return {
    id: argumentOf(args, 0),
    ...given({
      tool: optionOf(options, 'tool'),
      client: optionOf(options, 'client'),
      configuration: optionOf(options, 'configuration'),
      endUser: optionOf(options, 'endUser'),
      feedback: optionOf(options, 'feedback') as 'helpful' | undefined,
      range: optionOf(options, 'range') as '7d' | undefined,
      outcome: optionOf(options, 'outcome') as Outcome | undefined,
      status: options['errors'] === true ? ('error' as const) : undefined,
    }),
  }
}

function showSeries(series: Output<'analytics.series'>): Shown {
  if (series.groups.length === 0) return { json: series, notes: ['There are no such calls.'] }
  const rows = series.groups.map(({ name, label, calls, failed, p50Ms, p95Ms, lastCallAt }) => [
    label ?? name ?? '(no name)',
    String(calls),
    String(failed),
    `${Math.round(p50Ms ?? 0)} ms`,
    `${Math.round(p95Ms ?? 0)} ms`,
    lastCallAt,
  ])
  return { json: series, table: [[series.by, 'calls', 'failed', 'median', '95%', 'last call'], ...rows] }
}

function rowOf({ at, tool, outcome, feedback, durationMs, error, arguments: args }: Call): string[] {
  const judged = feedback === undefined ? outcome : `${outcome}, ${feedback.replace('_', ' ')}`
  return [at, tool, judged, `${Math.round(durationMs)} ms`, error ?? JSON.stringify(args)]
}
