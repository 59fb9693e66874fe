import { isWithoutAnswer } from '@docent/contract/values/outcomes'
import type { Output } from '@docent/sdk'
import { useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import { useMay } from '../../api/may.ts'
import { useLoad } from '../../api/use-load.ts'
import { shortAddress } from '../../lib/format.ts'
import { isCut, questionIn } from '../../lib/recorded-call.ts'
import { Mend } from '../../rules/mend.tsx'
import { PinButtons } from '../../rules/pin-buttons.tsx'
import { type DraftedPin, PinDraft } from '../../rules/pin-draft.tsx'
import { type DraftedRule, type Wish, pageOf, suggestRule, tellingWords } from '../../rules/suggest-rule.ts'
import { Allowed } from '../../ui/allowed.tsx'
import type { Server } from '../../ui/server-page.tsx'
import { Loaded } from '../../ui/states.tsx'
import { causesOf, rankedWords } from './causes.ts'

type TraceData = Output<'calls.trace'>
type Search = TraceData['searches'][number]
type Candidate = Search['candidates'][number]

/** Candidates to show for each search. The rest ranked lower. */
const SHOWN = 8

const OUTCOMES: Record<Candidate['outcome'], string> = {
  shown: 'shown',
  passed_over: 'on an earlier page',
  over_limit: 'beyond the number of results',
  over_budget: 'beyond the size of an answer',
  same_section: 'part of a section with a better passage',
  near_duplicate: 'like a better passage',
  superseded: 'an older copy',
  not_chosen: 'not used',
  text_gone: 'its text is gone',
}

/** The wish that a person can have for a candidate: less of a used one, more of one that is not the first. */
const WISHES: Record<Wish, string> = { first: 'Prefer this page', less: 'Use it less', never: 'Never use it' }

/** `question`: as the log shows it; by default from the arguments of the call. */
type Props = { server: Server; callId: string; question?: string }

/** The candidates of a call in search order, the reasons in words, and a rule that changes them. */
export function Trace({ server, callId, question }: Props) {
  const trace = useLoad(`trace ${callId}`, (signal) => call('calls.trace', { id: server.id, callId }, { signal }))
  return (
    <Loaded from={trace} what="what it read">
      {(data) => <Shown server={server} data={data} question={question ?? questionIn(data)} />}
    </Loaded>
  )
}

function Shown({ server, data, question }: { server: Server; data: TraceData; question: string }) {
  const [draft, setRule] = useState<DraftedRule | null>(null)
  const [pin, setPin] = useState<DraftedPin | null>(null)
  // One mend at a time.
  const setDraft = (rule: DraftedRule | null) => {
    setPin(null)
    setRule(rule)
  }
  const onPin = (next: DraftedPin) => {
    setRule(null)
    setPin(next)
  }
  const words = tellingWords(question, data.searches[0]?.words ?? [])
  const ranked = data.searches[0]?.candidates ?? []
  const suggest = (wish: Wish, candidate: Candidate) => suggestRule(wish, candidate, { server, words, ranked })
  const own = { tool: data.tool, arguments: data.arguments }
  const draftId = draft && `${data.callId} ${draft.sentence}`
  return (
    <>
      <div class="two">
        <div>
          <h3>
            What it read <span class="mute">{rankedWords(data)}</span>
          </h3>
          {data.searches.length === 0 && <p class="why-text">{data.remark ?? 'It made no search.'}</p>}
          {data.searches.map((search, index) => (
            <Candidates
              key={index}
              search={search}
              recorded={data.recorded}
              suggest={suggest}
              onDraft={setDraft}
              onPin={onPin}
            />
          ))}
        </div>
        <Why
          server={server}
          data={data}
          question={question}
          rule={bestGuess(data, suggest)}
          onDraft={setDraft}
          onPin={onPin}
        />
      </div>
      {draft && draftId && (
        <Mend
          key={draftId}
          id={draftId}
          server={server}
          own={own}
          draft={draft}
          isRepeatable={!isCut(data.arguments)}
          onClose={() => setDraft(null)}
          onPin={() => onPin({ effect: 'first', section: null })}
        />
      )}
      {pin && (
        <PinDraft
          key={`${data.callId} ${pin.effect} ${pin.section?.url} ${pin.section?.heading}`}
          server={server}
          question={question}
          draft={pin}
          onClose={() => setPin(null)}
        />
      )}
    </>
  )
}

type Suggest = (wish: Wish, candidate: Candidate) => DraftedRule | null
type Recorded = TraceData['recorded']
type CandidatesProps = {
  search: Search
  recorded: Recorded
  suggest: Suggest
  onDraft: (draft: DraftedRule) => void
  onPin: (draft: DraftedPin) => void
}

function Candidates({ search, recorded, suggest, onDraft, onPin }: CandidatesProps) {
  return (
    <ol>
      {search.candidates.slice(0, SHOWN).map((candidate) => (
        <li key={candidate.place}>
          <span class="no">{candidate.place}</span>
          <span>
            {nameOf(candidate)}{' '}
            <span class="mute">
              {shortAddress(candidate.url)} · {outcomeOf(candidate, recorded)}
            </span>
            <Wishes
              candidate={candidate}
              isUsed={isUsed(candidate, recorded)}
              suggest={suggest}
              onDraft={onDraft}
              onPin={onPin}
            />
          </span>
          <span class="mute">{candidate.score.toFixed(2)}</span>
        </li>
      ))}
      {search.candidates.length === 0 && <li class="mute">No passage fits “{search.query}”.</li>}
    </ol>
  )
}

const nameOf = ({ title, heading }: Candidate): string => (heading ? `${title} › ${heading}` : title)

/** An answer rests on the passages that it cited. Without citations, on all that were shown. */
function isUsed({ url, outcome }: Candidate, recorded: Recorded): boolean {
  return recorded.length === 0 ? outcome === 'shown' : recorded.some((citation) => citation.url === url)
}

function outcomeOf({ url, outcome }: Candidate, recorded: Recorded): string {
  if (recorded.some((citation) => citation.url === url)) return 'cited'
  return outcome === 'shown' && recorded.length > 0 ? 'read, not cited' : OUTCOMES[outcome]
}

type WishesProps = Pick<CandidatesProps, 'suggest' | 'onDraft' | 'onPin'> & { candidate: Candidate; isUsed: boolean }

function Wishes({ candidate, isUsed: used, suggest, onDraft, onPin }: WishesProps) {
  const wishes: Wish[] = [
    ...(used && candidate.place === 1 ? [] : (['first'] as const)),
    ...(used ? (['less', 'never'] as const) : []),
  ]
  const may = useMay()
  if (!may('retrievalRules.create')) return null
  const possible = wishes.flatMap((wish) => {
    const draft = suggest(wish, candidate)
    return draft ? [{ wish, draft }] : []
  })
  return (
    <span class="wishes">
      <PinButtons section={candidate} withNever={used} onPin={onPin} />
      {possible.map(({ wish, draft }) => (
        <button
          key={wish}
          type="button"
          class="lnk"
          aria-label={`${WISHES[wish]}: ${nameOf(candidate)}`}
          onClick={() => onDraft(draft)}
        >
          {WISHES[wish]}
        </button>
      ))}
    </span>
  )
}

type WhyProps = {
  server: Server
  data: TraceData
  question: string
  rule: DraftedRule | null
  onDraft: (draft: DraftedRule) => void
  onPin: (draft: DraftedPin) => void
}

function Why({ server, data, question, rule, onDraft, onPin }: WhyProps) {
  // Neither rules nor pins can find text that is on no page.
  const isWeak = isWithoutAnswer(data.outcome)
  return (
    <div>
      <h3>Why</h3>
      {causesOf(data).map((text) => (
        <p key={text} class="why-text">
          {text}
        </p>
      ))}
      <p class="go">
        <Allowed to="retrievalRules.create">
          <button
            type="button"
            class={isWeak ? 'btn s' : 'btn s p'}
            onClick={() => onPin({ effect: 'first', section: null })}
          >
            Choose the section that answers it
          </button>
          {rule && (
            <button type="button" class="btn s" onClick={() => onDraft(rule)}>
              Make a rule
            </button>
          )}
          <a class={isWeak ? 'btn s p' : 'btn s'} href={`/servers/${server.slug}/settings#sources`}>
            Add a source
          </a>
        </Allowed>
        <a
          class="btn s"
          href={`/servers/${server.slug}/playground?${new URLSearchParams({ tool: data.tool, ...argumentsOf(data, question) })}`}
        >
          Open in the playground
        </a>
      </p>
    </div>
  )
}

/** Prefers the best page that was not used, or else moves the best used page down. */
function bestGuess({ searches, recorded }: TraceData, suggest: Suggest): DraftedRule | null {
  const candidates = searches[0]?.candidates ?? []
  const used = candidates.filter((candidate) => isUsed(candidate, recorded))
  const pages = new Set(used.map(({ url }) => pageOf(url)))
  for (const candidate of candidates.filter(({ url }) => !pages.has(pageOf(url)))) {
    const draft = suggest('first', candidate)
    if (draft) return draft
  }
  return used.flatMap((candidate) => suggest('less', candidate) ?? [])[0] ?? null
}

/** The recorded arguments as texts for the form. */
function argumentsOf({ arguments: sent }: TraceData, question: string): Record<string, string> {
  if (typeof sent !== 'object' || sent === null) return { question }
  return Object.fromEntries(
    Object.entries(sent).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  )
}
