import type { Output } from '@docent/sdk'
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useMemo, useState } from 'preact/hooks'
import { ApiError } from '../api/api-error.ts'
import { call } from '../api/call.ts'
import { useAction } from '../api/use-action.ts'
import { PINS } from '@docent/contract/limits'
import { shortAddress } from '../lib/format.ts'
import { questionIn } from '../lib/recorded-call.ts'
import { randomKey } from '../lib/random-key.ts'
import type { Server } from '../ui/server-page.tsx'
import { Problem } from '../ui/states.tsx'
import { useUnsaved } from '../ui/use-unsaved.ts'
import { Changes, type OwnRequest } from './changes.tsx'
import { Compared } from './compared.tsx'
import { Effects, Removed } from './effects.tsx'
import type { DraftedRule } from './suggest-rule.ts'
import '../styles/rules.css'

type Preview = Output<'retrievalRules.preview'>
export type SavedRule = Output<'retrievalRules.create'>

type Props = {
  server: Server
  draft: DraftedRule
  placeholder?: string
  /** The request that the rule is for. Its change is shown first, without another click. */
  own?: OwnRequest
  onSaved: (saved: SavedRule) => void
  onEdit?: () => void
  /** Chooses a section for the question, where the rule does not change its answer. */
  onPin?: () => void
  beside?: ComponentChildren
}

/** A rule in plain words: what the service understands, and which requests of the log it would change. */
export function RuleDraft({ server, draft, placeholder, own, onSaved, onEdit, onPin, beside }: Props) {
  const [sentence, setSentence] = useState(draft.sentence)
  const [sourceId, setSourceId] = useState(draft.sourceId)
  const [seen, setSeen] = useState<{ key: string; preview: Preview } | null>(null)
  const input = { serverId: server.id, sourceId, naturalLanguage: sentence.trim() }
  const key = JSON.stringify(input)
  // A repeated request after a lost answer creates no second rule. Another wording is another rule.
  const idempotencyKey = useMemo(randomKey, [key])
  const preview = useAction(async () => {
    const question = own && questionIn(own).slice(0, PINS.maxQuestion)
    setSeen({ key, preview: await call('retrievalRules.preview', { ...input, ...(question ? { question } : {}) }) })
  })
  const save = useAction(async () => onSaved(await call('retrievalRules.create', input, { idempotencyKey })))
  const form = useUnsaved(save)
  useEffect(() => {
    if (own) preview.run()
  }, [])
  const error = save.error ?? preview.error
  const isSeen = seen?.key === key
  const isBusy = save.isBusy || preview.isBusy
  const change = (set: () => void) => {
    save.clear()
    preview.clear()
    onEdit?.()
    set()
  }
  return (
    <form
      ref={form}
      class="draft"
      onSubmit={(event) => {
        event.preventDefault()
        // Nothing is saved before it was shown what the sentence is understood as.
        if (isSeen) save.run()
        else preview.run()
      }}
    >
      <Sentence value={sentence} placeholder={placeholder} onChange={(text) => change(() => setSentence(text))} />
      <Scope server={server} value={sourceId} onChange={(id) => change(() => setSourceId(id))} />
      <div role="status">
        {preview.isBusy && <p class="mute">Trying the rule on the last requests …</p>}
        {!preview.isBusy && isSeen && <Seen preview={seen.preview} own={own} onPin={onPin} />}
      </div>
      {error && <Refusal error={error} />}
      <div class="go">
        <button type="submit" class="btn p" disabled={isBusy || sentence.trim() === ''}>
          {isSeen ? (save.isBusy ? 'Saving …' : 'Save the rule') : 'See what it does'}
        </button>
        {beside}
      </div>
    </form>
  )
}

type SentenceProps = { value: string; placeholder: string | undefined; onChange: (text: string) => void }

function Sentence({ value, placeholder, onChange }: SentenceProps) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>Rule</label>
      <textarea
        id={id}
        rows={2}
        required
        maxLength={600}
        value={value}
        {...(placeholder ? { placeholder } : {})}
        aria-describedby={`${id}-hint`}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <p class="hint" id={`${id}-hint`}>
        In plain words: which sources, paths or versions to prefer, avoid or leave out, and for which questions.
      </p>
    </div>
  )
}

type ScopeProps = { server: Server; value: string | null; onChange: (sourceId: string | null) => void }

/** A rule about one source leaves the others alone. With one source there is no choice. */
function Scope({ server: { sources }, value, onChange }: ScopeProps) {
  if (sources.length < 2) return null
  return (
    <label class="field">
      <span class="lab">About</span>
      <select value={value ?? ''} onChange={({ currentTarget }) => onChange(currentTarget.value || null)}>
        <option value="">All sources</option>
        {sources.map(({ id, label, url }) => (
          <option key={id} value={id}>
            Only {label ?? shortAddress(url)}
          </option>
        ))}
      </select>
    </label>
  )
}

type SeenProps = { preview: Preview; own: OwnRequest | undefined; onPin: (() => void) | undefined }

function Seen({ preview, own, onPin }: SeenProps) {
  return (
    <>
      <p class="lab">Understood as</p>
      <Effects understood={preview.understood} />
      <Removed parts={preview.removed} />
      {preview.answer && <Compared answers={preview.answer} />}
      {preview.answer && !preview.answer.changes && onPin && (
        <p class="nb">
          A rule only moves passages. A pin shows a section whatever the ranking says.{' '}
          <button type="button" class="lnk" onClick={onPin}>
            Choose the section that answers it
          </button>
        </p>
      )}
      <Changes preview={preview} {...(own ? { own } : {})} />
    </>
  )
}

/** A refusal, with the parts of the sentence that no rule can do. */
function Refusal({ error }: { error: Error }) {
  const removed: unknown = error instanceof ApiError ? error.body['removed'] : null
  return (
    <>
      <Problem error={error} />
      {Array.isArray(removed) && <Removed parts={removed.map(String)} />}
    </>
  )
}
