import type { Output } from '@docent/sdk'
import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks'
import { call } from '../api/call.ts'
import { useAction } from '../api/use-action.ts'
import { count, shortAddress } from '../lib/format.ts'
import { randomKey } from '../lib/random-key.ts'
import type { Server } from '../ui/server-page.tsx'
import { Problem } from '../ui/states.tsx'
import { Compared, sectionName } from './compared.tsx'
import { type PickedSection, SectionPicker } from './section-picker.tsx'
import '../styles/rules.css'

type Preview = Output<'pins.preview'>
type Saved = Output<'pins.create'>['pin']
export type PinEffect = Saved['effect']

/** A pin to be made. Without a section, one is chosen first. */
export type DraftedPin = { effect: PinEffect; section: PickedSection | null }

type Props = { server: Server; question: string; draft: DraftedPin; onClose: () => void }

const TITLES: Record<PinEffect, string> = {
  first: 'This section answers it',
  never: 'Not this section for this question',
}

/** A pin for a question: the section, the questions, and the answers before and after. */
export function PinDraft({ server, question, draft, onClose }: Props) {
  const [saved, setSaved] = useState<Saved | null>(null)
  const [undone, setUndone] = useState<Saved | null>(null)
  const title = useRef<HTMLHeadingElement>(null)
  // The button that opened it can be far away.
  useEffect(() => {
    title.current?.focus({ preventScroll: true })
    title.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <section class="mend" aria-label="A pin for this question">
      <h3 ref={title} tabIndex={-1}>
        {TITLES[draft.effect]}
      </h3>
      {saved === null ? (
        <Form
          server={server}
          question={question}
          draft={undone ? { effect: undone.effect, section: undone } : draft}
          text={undone?.questions.join('\n') ?? question}
          onSaved={setSaved}
          onClose={onClose}
        />
      ) : (
        <AfterSaving
          server={server}
          pin={saved}
          onClose={onClose}
          onUndone={() => {
            setUndone(saved)
            setSaved(null)
          }}
        />
      )}
      {undone && !saved && (
        <p class="small mute" role="status">
          The pin is taken back. Answers are as before.
        </p>
      )}
    </section>
  )
}

/** `text`: the questions, one per line. */
type FormProps = Props & { text: string; onSaved: (pin: Saved) => void }

function Form({ server, question, draft, text: given, onSaved, onClose }: FormProps) {
  const [section, setSection] = useState(draft.section)
  const [text, setText] = useState(given)
  const { preview, save, seen } = usePin(section && inputOf(server, { effect: draft.effect, section, text }), onSaved)
  // A chosen section is tried without another click.
  useEffect(() => {
    if (section) preview.run()
  }, [section])
  const change = (set: () => void) => {
    save.clear()
    preview.clear()
    set()
  }
  const error = save.error ?? preview.error
  return (
    <form
      class="draft wide"
      onSubmit={(event) => {
        event.preventDefault()
        // Nothing is saved before its effect was shown.
        if (seen) save.run()
        else preview.run()
      }}
    >
      {section ? (
        <>
          <Chosen section={section} onOther={() => change(() => setSection(null))} />
          <Questions value={text} onChange={(value) => change(() => setText(value))} />
        </>
      ) : (
        <SectionPicker server={server} question={question} onPick={(picked) => change(() => setSection(picked))} />
      )}
      <div role="status">
        {preview.isBusy && <p class="mute">Answering the question with and without the pin …</p>}
        {!preview.isBusy && section && seen && <Seen preview={seen} question={question} />}
      </div>
      {error && <Problem error={error} />}
      <div class="go">
        {section && (
          <button type="submit" class="btn p" disabled={save.isBusy || preview.isBusy || text.trim() === ''}>
            {seen ? (save.isBusy ? 'Saving …' : 'Save the pin') : 'See what it changes'}
          </button>
        )}
        <button type="button" class="btn" onClick={onClose}>
          Close
        </button>
      </div>
    </form>
  )
}

/** Tries and saves a pin. `seen`: what the pin as it is now changes; null before it was tried. */
function usePin(input: ReturnType<typeof inputOf> | null, onSaved: (pin: Saved) => void) {
  const [tried, setTried] = useState<{ key: string; preview: Preview } | null>(null)
  const key = JSON.stringify(input)
  // A repeated request after a lost answer creates no second pin.
  const idempotencyKey = useMemo(randomKey, [key])
  const preview = useAction(async () => {
    if (input) setTried({ key, preview: await call('pins.preview', input) })
  })
  const save = useAction(async () => {
    if (input) onSaved((await call('pins.create', input, { idempotencyKey })).pin)
  })
  return { preview, save, seen: tried?.key === key ? tried.preview : null }
}

type Drafted = { effect: PinEffect; section: PickedSection; text: string }

function inputOf({ id }: Server, { effect, section: { url, heading, sourceId }, text }: Drafted) {
  const questions = text.split('\n').flatMap((line) => line.trim() || [])
  return { id, effect, questions, url, ...(heading === null ? {} : { heading }), ...(sourceId ? { sourceId } : {}) }
}

function Chosen({ section, onOther }: { section: PickedSection; onOther: () => void }) {
  return (
    <div>
      <p class="said">{sectionName({ ...section, heading: section.heading ?? '' })}</p>
      <p class="small mute">{shortAddress(section.url)}</p>
      <button type="button" class="lnk" onClick={onOther}>
        Choose another section
      </button>
    </div>
  )
}

function Questions({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>For these questions</label>
      <textarea
        id={id}
        rows={2}
        required
        value={value}
        aria-describedby={`${id}-hint`}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <p class="hint" id={`${id}-hint`}>
        One per line. Other words that say nothing, another order and endings do not matter.
      </p>
    </div>
  )
}

function Seen({ preview: { answers, past, complete }, question }: { preview: Preview; question: string }) {
  // The question itself is shown above.
  const others = past.filter((one) => one.question !== question)
  return (
    <>
      {answers.map((one) => (
        <Compared key={one.question} answers={one} />
      ))}
      <div class="changes">
        <p>
          {others.length === 0
            ? 'No other question of the log gets another answer.'
            : `${count(others.length, 'other request')} of the log would get another answer.`}
          {!complete && ' There was no time for all of them.'}
        </p>
        {others.length > 0 && (
          <ul>
            {others.map((one) => (
              <li key={one.callId}>
                <details>
                  <summary>
                    {one.question} <span class="m small mute">{one.tool}</span>
                  </summary>
                  <Compared answers={one} />
                </details>
              </li>
            ))}
          </ul>
        )}
      </div>
    </>
  )
}

type AfterProps = { server: Server; pin: Saved; onClose: () => void; onUndone: () => void }

function AfterSaving({ server, pin, onClose, onUndone }: AfterProps) {
  const undo = useAction(async () => {
    await call('pins.delete', { id: server.id, pinId: pin.id })
    onUndone()
  })
  const button = useRef<HTMLButtonElement>(null)
  // The button that had the focus is gone.
  useEffect(() => button.current?.focus(), [])
  return (
    <>
      <p role="status">
        <b>The pin is saved.</b> Every answer follows it from now on: {sectionName(pin)}
        {pin.effect === 'first' ? ' comes first.' : ' is left out.'}
      </p>
      {undo.error && <Problem error={undo.error} />}
      <div class="go">
        <button ref={button} type="button" class="btn" disabled={undo.isBusy} onClick={() => undo.run()}>
          {undo.isBusy ? 'Undoing …' : 'Undo'}
        </button>
        <a class="btn" href={`/servers/${server.slug}/rules#pins`}>
          See all pins
        </a>
        <button type="button" class="btn" onClick={onClose}>
          Close
        </button>
      </div>
    </>
  )
}
