import type { Output } from '@docent/sdk'
import { call } from '../../api/call.ts'
import { useLoad } from '../../api/use-load.ts'
import { shortAddress } from '../../lib/format.ts'
import type { Server } from '../../ui/server-page.tsx'
import { Loaded } from '../../ui/states.tsx'

type TraceData = Output<'calls.trace'>
type Search = TraceData['searches'][number]

/** Candidates shown of a search; the rest were further down. */
const SHOWN = 8

const OUTCOMES: Record<Search['candidates'][number]['outcome'], string> = {
  shown: 'shown',
  passed_over: 'on an earlier page',
  over_limit: 'beyond the number of results',
  over_budget: 'beyond the size of an answer',
  near_duplicate: 'like a better passage',
  superseded: 'an older copy',
  not_chosen: 'not used',
  text_gone: 'its text is gone',
}

/** What a call read, in the order of its search, and why in words. */
export function Trace({ server, callId, question }: { server: Server; callId: string; question: string }) {
  const trace = useLoad(`trace ${callId}`, (signal) => call('calls.trace', { id: server.id, callId }, { signal }))
  return (
    <Loaded from={trace} what="what it read">
      {(data) => (
        <div class="two">
          <div>
            <h3>What it read</h3>
            {data.searches.length === 0 && <p class="why-text">{data.remark ?? 'It made no search.'}</p>}
            {data.searches.map((search, index) => (
              <Candidates key={index} search={search} />
            ))}
          </div>
          <div>
            <h3>Why</h3>
            {reasonsOf(data).map((text) => (
              <p key={text} class="why-text">
                {text}
              </p>
            ))}
            <p class="go">
              <a class="btn s" href={`/servers/${server.slug}/settings#sources`}>
                Add a source
              </a>
              <a
                class="btn s"
                href={`/servers/${server.slug}/playground?${new URLSearchParams({ tool: data.tool, ...argumentsOf(data, question) })}`}
              >
                Open in the playground
              </a>
            </p>
          </div>
        </div>
      )}
    </Loaded>
  )
}

function Candidates({ search }: { search: Search }) {
  return (
    <ol>
      {search.candidates.slice(0, SHOWN).map(({ place, title, heading, url, score, outcome }) => (
        <li key={place}>
          <span class="no">{place}</span>
          <span>
            {heading ? `${title} › ${heading}` : title}{' '}
            <span class="mute">
              {shortAddress(url)} · {OUTCOMES[outcome]}
            </span>
          </span>
          <span class="mute">{score.toFixed(2)}</span>
        </li>
      ))}
      {search.candidates.length === 0 && <li class="mute">No passage fits “{search.query}”.</li>}
    </ol>
  )
}

/** What the search knew about the question, in sentences. */
function reasonsOf({ searches, version, confidence, remark }: TraceData): string[] {
  const [search] = searches
  const missing = (search?.words ?? []).filter(({ share }) => share < 0.0001).map(({ word }) => word)
  return [
    confidence === 'low' || confidence === 'none' ? 'The sources say little or nothing about this.' : '',
    missing.length > 0 ? `No page has these words: ${missing.join(', ')}.` : '',
    ...(search?.repaired ?? []).map(({ given, used }) => `“${given}” was read as “${used}”.`),
    version === 'changed' ? 'The sources have been indexed again since, so this is how it would read them today.' : '',
    remark ?? '',
    search && missing.length === 0 && confidence !== 'low' && confidence !== 'none'
      ? 'The passages above fit the words of the question best.'
      : '',
  ].filter(Boolean)
}

/** The recorded arguments as texts for the form. */
function argumentsOf({ arguments: sent }: TraceData, question: string): Record<string, string> {
  if (typeof sent !== 'object' || sent === null) return { question }
  return Object.fromEntries(
    Object.entries(sent).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  )
}
