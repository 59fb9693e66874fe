import type { Output } from '@docent/sdk'
import { useState } from 'preact/hooks'
import { AnswerText } from '../../answer/answer-text.tsx'
import { type Passage, passagesOf } from '../../answer/read-result.ts'
import { count, duration } from '../../lib/format.ts'
import { useMay } from '../../api/may.ts'
import { PinButtons } from '../../rules/pin-buttons.tsx'
import { type DraftedPin, PinDraft } from '../../rules/pin-draft.tsx'
import { suggestRule } from '../../rules/suggest-rule.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { OutcomeStatus } from '../../ui/outcome.tsx'
import type { Server } from '../../ui/server-page.tsx'

type Answer = Output<'tools.try'>
type View = 'answer' | 'protocol'

/** The answer of a tool: as a person reads it, and as a client gets it. */
export function Result({ answer, server, tool }: { answer: Answer; server: Server; tool: string }) {
  const [view, setView] = useState<View>('answer')
  const [pin, setPin] = useState<DraftedPin | null>(null)
  const passages = passagesOf(answer.data)
  const question = questionOf(answer, tool)
  const tab = (name: View, title: string) => (
    <button type="button" aria-pressed={view === name} onClick={() => setView(name)}>
      {title}
    </button>
  )
  return (
    <div class="res">
      <div class="rh">
        <div class="seg" role="group" aria-label="Result">
          {tab('answer', 'Answer')}
          {tab('protocol', 'Protocol')}
          <CopyButton text={curlOf(server, answer)}>Copy as curl</CopyButton>
        </div>
        <OutcomeStatus outcome={answer.outcome} />
        <span class="small mute">
          {duration(answer.durationMs)}
          {passages.length > 0 && ` · ${count(passages.length, 'passage')}`}
        </span>
      </div>
      {view === 'answer' ? (
        <>
          <AnswerText
            answer={answer}
            tool={tool}
            actions={(passage) => (
              <Wishes passage={passage} server={server} onPin={question === null ? null : setPin} />
            )}
          />
          {question !== null && (
            <p class="go">
              <button type="button" class="btn" onClick={() => setPin({ effect: 'first', section: null })}>
                Choose the section that answers it
              </button>
            </p>
          )}
          {question !== null && pin && (
            <PinDraft
              key={`${question} ${pin.effect} ${pin.section?.url} ${pin.section?.heading}`}
              server={server}
              question={question}
              draft={pin}
              onClose={() => setPin(null)}
            />
          )}
        </>
      ) : (
        <Protocol answer={answer} />
      )}
    </div>
  )
}

/** The question of an answer that a pin can be about. Other tools look things up by name. */
function questionOf({ request }: Answer, tool: string): string | null {
  const { params } = request as { params?: { arguments?: Record<string, unknown> } }
  const asked = { ask_question: 'question', search_docs: 'query' }[tool]
  const value = asked && params?.arguments?.[asked]
  return typeof value === 'string' && value !== '' ? value : null
}

type WishesProps = { passage: Passage; server: Server; onPin: ((draft: DraftedPin) => void) | null }

/** Pins for a passage, and links to rules for its page. Rules are saved on their own screen. */
function Wishes({ passage, server, onPin }: WishesProps) {
  const { url, sourceId } = passage
  const wishes = [
    ['first', 'Prefer this page'],
    ['less', 'Use it less'],
    ['never', 'Never use it'],
  ] as const
  const may = useMay()
  if (!may('retrievalRules.create') || !server.sources.some(({ id }) => id === sourceId)) return null
  const drafts = wishes.flatMap(([wish, title]) => {
    const draft = suggestRule(wish, { url, sourceId, score: 1 }, { server, words: [] })
    return draft ? [{ title, draft }] : []
  })
  return (
    <p class="acts">
      {onPin && <PinButtons section={passage} withNever onPin={onPin} />}
      {drafts.map(({ title, draft: { sentence, sourceId: about } }) => (
        <a
          key={title}
          href={`/servers/${server.slug}/rules?${new URLSearchParams({ sentence, ...(about ? { source: about } : {}) })}`}
        >
          {title}
        </a>
      ))}
    </p>
  )
}

function Protocol({ answer: { request, response } }: { answer: Answer }) {
  return (
    <>
      <h3 class="lab">The client sends</h3>
      <pre class="cmd" tabIndex={0}>
        {JSON.stringify(request, null, 2)}
      </pre>
      <h3 class="lab">The service answers</h3>
      <pre class="cmd" tabIndex={0}>
        {JSON.stringify(response, null, 2)}
      </pre>
    </>
  )
}

function curlOf({ url, visibility }: Server, { request }: Answer): string {
  const token = visibility === 'private' ? ` \\\n  -H 'Authorization: Bearer <ACCESS_TOKEN>'` : ''
  const body = JSON.stringify(request).replaceAll("'", `'\\''`)
  return `curl ${url} \\\n  -H 'Content-Type: application/json' -H 'Accept: application/json, text/event-stream'${token} \\\n  -d '${body}'`
}
