import type { Output } from '@docent/sdk'
import { ago, count, dateTime, number } from '../../lib/format.ts'
import { byText } from '../../lib/listing.ts'
import { Listing } from '../../ui/listing.tsx'
import { Table } from '../../ui/table.tsx'

type Usage = Output<'account.usage'>
type Entitlements = Output<'account.entitlements'>

/** One limit as a row. */
type Row = { what: string; used: number; limit: number | null; resetsAt?: string; from: string }
/** A limit of which nothing is used up. */
type Fixed = readonly [what: string, limit: number | string | null]

/** Whether the trial applies, and until when. A plan that has everything of the trial needs none. */
export function Trial({ trial: { active, endsAt } }: { trial: Entitlements['trial'] }) {
  if (!endsAt) return <>Without a trial.</>
  const isOver = Date.parse(endsAt) <= Date.now()
  if (!active && !isOver) return <>The plan has everything of the trial.</>
  return (
    <>
      The trial {isOver ? 'ended' : 'ends'} <time title={dateTime(endsAt)}>{ago(endsAt)}</time>.
    </>
  )
}

type Props = { usage: Usage; entitlements: Entitlements; servers: Output<'servers.list'>; query: URLSearchParams }

/** Each limit: how much of it is used, when it starts again, and where its value comes from. */
export function Used({ usage, entitlements, servers, query }: Props) {
  const { general, ofServers } = rowsOf(usage, entitlements, new Map(servers.map(({ id, name }) => [id, name])))
  return (
    <>
      <Rows rows={general} />
      {ofServers.length > 0 && (
        <>
          <h3 class="sub">Sources on each server</h3>
          <Listing items={ofServers} one="server" plan={PLAN} sizes={[20, 8]} query={query}>
            {(shown) => <Rows rows={shown} />}
          </Listing>
        </>
      )}
      <h3 class="sub">Besides</h3>
      <Table columns={['Limit', 'Allowed']}>
        {fixedOf(entitlements).map(([what, limit]) => (
          <tr key={what}>
            <th scope="row">{what}</th>
            <td data-label="Allowed">{amount(limit)}</td>
          </tr>
        ))}
      </Table>
    </>
  )
}

const PLAN = {
  prefix: 'used',
  textOf: ({ what }: Row) => what,
  orders: [
    { name: 'newest', title: 'Newest first', compare: () => 0 },
    { name: 'most', title: 'Most used first', compare: (a: Row, b: Row) => b.used - a.used },
    byText<Row>('name', 'By name', ({ what }) => what),
  ],
}

function Rows({ rows }: { rows: readonly Row[] }) {
  return (
    <Table columns={['Limit', { right: 'Used' }, { right: 'Allowed' }, 'Starts again', 'Comes from']}>
      {rows.map((row, index) => (
        <tr key={`${row.what} ${index}`}>
          <th scope="row">{row.what}</th>
          <td class="r" data-label="Used">
            {number(row.used)}
          </td>
          <td class="r" data-label="Allowed">
            {amount(row.limit)}
          </td>
          <td data-label="Starts again">
            {row.resetsAt ? <time title={dateTime(row.resetsAt)}>{ago(row.resetsAt)}</time> : 'never'}
          </td>
          <td class="mute" data-label="Comes from">
            {row.from}
          </td>
        </tr>
      ))}
    </Table>
  )
}

const MEGABYTE = 1_000_000

const span = (least: number, most: number): string => `${number(least)} to ${number(most)}`

const amount = (limit: Fixed[1]): string => (typeof limit === 'number' ? number(limit) : (limit ?? 'no limit'))

function fixedOf({ limits }: Entitlements): Fixed[] {
  const bytes = limits.sourceBytesPerServer
  const trialSources = limits.trialSourcesOnFirstServer
  return [
    ...(trialSources === null ? [] : [['Sources on the first server in the trial', trialSources] as const]),
    ['Text on each server', bytes === null ? null : `${number(bytes / MEGABYTE)} MB`],
    ['Rules on each server', limits.rulesPerServer],
    ['Tools on each server', span(limits.minToolsPerServer, limits.maxToolsPerServer)],
    [
      'Characters of the words for a custom tool',
      span(limits.customToolPromptMinLength, limits.customToolPromptMaxLength),
    ],
    ['Sources of a custom tool', limits.customToolSources],
    ['Characters of a rule', span(limits.ruleMinLength, limits.ruleMaxLength)],
    ['Priority of a rule', span(limits.rulePriorityMin, limits.rulePriorityMax)],
    ['Characters of a credential', limits.credentialSecretMaxLength],
    ['Days to restore a deleted server', limits.retentionDays],
  ]
}

function rowsOf(usage: Usage, { limits, trial }: Entitlements, names: ReadonlyMap<string, string>) {
  const plan = `the plan ${usage.plan}`
  const ofServers = usage.sources
    .map(({ serverId, used, limit, paidCredits }, index) => {
      const hasTrial = trial.active && index === 0 && limits.trialSourcesOnFirstServer !== null
      const base = hasTrial ? 'the trial' : plan
      const from = paidCredits > 0 ? `${base} and ${count(paidCredits, 'bought source')}` : base
      return { what: `Sources of ${names.get(serverId) ?? serverId}`, used, limit, from }
    })
    // The trial is about the oldest.
    .toReversed()
  const general: Row[] = [
    { what: 'Requests this month', ...usage.mcpRequests, from: plan },
    { what: 'Servers', ...usage.servers, from: plan },
    { what: 'Custom tools', ...usage.customTools, from: plan },
  ]
  return { general, ofServers }
}
