import { OUTCOMES, type Outcome } from '@docent/contract/values/outcomes'
import type { Output } from '@docent/sdk'
import { setQuery } from '../../lib/router.ts'
import { OUTCOME_WORDS } from '../../lib/words.ts'
import { useClientName } from './client-name.ts'
import { type Filter, filterOf } from './filter.ts'
import { RANGES, type Range, rangeOf } from './range.ts'

type Props = { query: URLSearchParams; report: Output<'analytics.report'> | null; serverId: string }

/** The period and the filters of the screen, both kept in the address, and the export of the matching calls. */
export function Filters({ query, report, serverId }: Props) {
  const { tool, client, outcome, configuration } = filterOf(query)
  const range = rangeOf(query)
  const isFiltered = tool !== null || client !== null || outcome !== null || configuration !== null
  return (
    <div class="bar top-bar" role="group" aria-label="Filters">
      <select
        aria-label="Period"
        value={range}
        onChange={({ currentTarget }) =>
          setQuery({ range: currentTarget.value, page: null, interval: null, from: null, to: null })
        }
      >
        {(Object.keys(RANGES) as Range[]).map((name) => (
          <option key={name} value={name}>
            {RANGES[name]}
          </option>
        ))}
      </select>
      {report && !report.locked && (
        <>
          <Choice name="tool" value={tool} every="Every tool" options={report.toolUsage.map(({ name }) => name)} />
          <Choice
            name="client"
            value={client}
            every="Every client"
            options={(report.clients ?? []).flatMap(({ name }) => name ?? [])}
          />
          <Choice name="outcome" value={outcome} every="Every outcome" options={OUTCOMES} />
          {configuration !== null && (
            <Choice name="configuration" value={configuration} every="Every widget" options={[configuration]} />
          )}
          {isFiltered && (
            <button
              type="button"
              class="lnk"
              onClick={() =>
                setQuery({ search: null, tool: null, client: null, outcome: null, configuration: null, page: null })
              }
            >
              Without filters
            </button>
          )}
          <span class="sp" />
          <a class="btn s" href={exportUrl(serverId, query)} download>
            Download CSV
          </a>
        </>
      )}
    </div>
  )
}

function exportUrl(serverId: string, query: URLSearchParams): string {
  const chosen = Object.entries(filterOf(query)).flatMap(([name, value]) => (value === null ? [] : [[name, value]]))
  const search = query.get('search')
  const parameters = new URLSearchParams([
    ['format', 'csv'],
    ['range', rangeOf(query)],
    ...(search ? [['search', search]] : []),
    ...chosen,
  ] as [string, string][])
  return `/api/analytics/${encodeURIComponent(serverId)}/calls/export?${parameters}`
}

type ChoiceProps = { name: keyof Filter; value: string | null; every: string; options: readonly string[] }

function Choice({ name, value, every, options }: ChoiceProps) {
  const nameOf = useClientName()
  const all = [...new Set(value && !options.includes(value) ? [...options, value] : options)]
  return (
    <select
      aria-label={name}
      value={value ?? ''}
      onChange={({ currentTarget }) => setQuery({ [name]: currentTarget.value || null, page: null })}
    >
      <option value="">{every}</option>
      {all.map((option) => (
        <option key={option} value={option}>
          {name === 'outcome'
            ? OUTCOME_WORDS[option as Outcome]
            : nameOf(name === 'configuration' ? `widget ${option}` : option)}
        </option>
      ))}
    </select>
  )
}
