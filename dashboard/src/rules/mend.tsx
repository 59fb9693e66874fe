import type { Output } from '@docent/sdk'
import { useContext, useEffect, useRef, useState } from 'preact/hooks'
import { AnswerText } from '../answer/answer-text.tsx'
import { call } from '../api/call.ts'
import { useAction } from '../api/use-action.ts'
import { type Loading, useLoad } from '../api/use-load.ts'
import { RulesChanged, type Server } from '../ui/server-page.tsx'
import { Loaded, Problem } from '../ui/states.tsx'
import type { OwnRequest } from './changes.tsx'
import { Effects, Removed } from './effects.tsx'
import { RuleDraft, type SavedRule } from './rule-draft.tsx'
import type { DraftedRule } from './suggest-rule.ts'

type Answer = Output<'tools.try'>
type Props = {
  server: Server
  own: OwnRequest
  draft: DraftedRule
  /** Identifies the draft. */
  id: string
  /** The arguments are recorded in full, so that the request can be repeated. */
  isRepeatable: boolean
  onClose: () => void
  onPin: () => void
}

/** A rule for one request: the changes it would make, then the answers without and with it. */
export function Mend({ server, own, draft, id, isRepeatable, onClose, onPin }: Props) {
  const [saved, setSaved] = useState<SavedRule | null>(null)
  const rulesChanged = useContext(RulesChanged)
  const ask = (signal?: AbortSignal) =>
    call(
      'tools.try',
      { id: server.id, tool: own.tool, arguments: { ...(own.arguments as Record<string, unknown>) } },
      signal ? { signal } : {},
    )
  // Asked before the rule is saved. The request log has no answers.
  const before = useLoad(`before ${id}`, (signal) => (isRepeatable ? ask(signal) : Promise.resolve(null)))
  return (
    <section class="mend" aria-label="A rule for this request">
      {saved === null ? (
        <RuleDraft
          server={server}
          draft={draft}
          own={own}
          onPin={onPin}
          onSaved={(rule) => {
            setSaved(rule)
            rulesChanged()
          }}
          beside={
            <button type="button" class="btn" onClick={onClose}>
              Close
            </button>
          }
        />
      ) : (
        <Saved server={server} own={own} saved={saved} before={before} ask={isRepeatable ? () => ask() : null} />
      )}
    </section>
  )
}

type SavedProps = Pick<Props, 'server' | 'own'> & {
  saved: SavedRule
  before: Loading<Answer | null>
  /** Null if the request cannot be repeated. */
  ask: (() => Promise<Answer>) | null
}

function Saved({ server, own, saved, before, ask }: SavedProps) {
  const [after, setAfter] = useState<Answer | null>(null)
  const again = useAction(async () => {
    if (ask) setAfter(await ask())
  })
  const button = useRef<HTMLButtonElement>(null)
  // The button that had the focus is gone.
  useEffect(() => button.current?.focus(), [])
  return (
    <>
      <p role="status">
        <b>The rule is saved.</b> Every search follows it from now on.
      </p>
      <Effects understood={saved.understood} />
      <Removed parts={saved.removed} />
      {again.error && <Problem error={again.error} />}
      <div class="go">
        {ask && (
          <button ref={button} type="button" class="btn p" disabled={again.isBusy} onClick={() => again.run()}>
            {again.isBusy ? 'Asking …' : 'Ask again'}
          </button>
        )}
        <a class="btn" href={`/servers/${server.slug}/rules`}>
          See all rules
        </a>
      </div>
      {!ask && <p class="small mute">The log has only a part of this request, so it cannot be asked again.</p>}
      {after && (
        <div class="ba answers" aria-live="polite">
          <div>
            <p class="lab">Before</p>
            <Loaded from={before} what="the answer without the rule">
              {(answer) => answer && <AnswerText answer={answer} tool={own.tool} prefix="before-" />}
            </Loaded>
          </div>
          <div>
            <p class="lab">After</p>
            <AnswerText answer={after} tool={own.tool} prefix="after-" />
          </div>
        </div>
      )}
    </>
  )
}
