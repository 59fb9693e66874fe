import type { Output } from '@docent/sdk'
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { call } from '../api/call.ts'
import { useAction } from '../api/use-action.ts'
import { ConfirmButton } from '../ui/confirm-button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { Segments } from '../ui/segments.tsx'
import { Problem } from '../ui/states.tsx'
import { useUnsaved } from '../ui/use-unsaved.ts'
import { type Configuration, type Draft, draftOf, newDraft, toRequest } from './draft.ts'
import { fieldError, isFieldError } from './field-error.ts'
import { EmbedPart } from './embed-part.tsx'
import { readOptions } from './embed-options.ts'
import { LookFields } from './look-fields.tsx'
import { Preview } from './preview.tsx'
import { SourcesField } from './sources-field.tsx'
import { ToolsField } from './tools-field.tsx'
import '../styles/widgets.css'

type Props = {
  /** Null for a new widget. */
  configuration: Configuration | null
  servers: Output<'servers.list'>
  /** Chosen in a new widget. */
  serverId?: string | undefined
  query: URLSearchParams
  onSaved: (configuration: Configuration) => void
  onDeleted: (configurationId: string) => void
}

/** A widget's settings beside the widget itself, and the code for a page. Nothing is stored before it is saved. */
export function Builder({ configuration, servers, serverId, query, onSaved, onDeleted }: Props) {
  const [draft, setDraft] = useState<Draft>(() => (configuration ? draftOf(configuration) : newDraft(serverId)))
  const [theme, setTheme] = useState<'light' | 'dark'>('light')
  const change = (changes: Partial<Draft>) => setDraft((old) => ({ ...old, ...changes }))
  const save = useAction(async () => onSaved(await call('configurations.save', toRequest(draft))))
  const form = useUnsaved(save)
  const [isAsking, setAsking] = useState(false)
  const exposed = servers.filter(({ id, visibility }) => {
    const isShown = configuration?.isActive === true && draftOf(configuration).sources.has(id)
    return visibility === 'private' && draft.isActive && draft.sources.has(id) && !isShown
  })
  useEffect(() => {
    if (isFieldError(save.error)) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [save.error])
  const options = readOptions(query)
  const isChanged =
    configuration === null || JSON.stringify(toRequest(draft)) !== JSON.stringify(toRequest(draftOf(configuration)))
  return (
    <div class="wb">
      <form
        ref={form}
        onSubmit={(event) => {
          event.preventDefault()
          if (exposed.length > 0) setAsking(true)
          else save.run()
        }}
      >
        <Part title="Pages">
          <Domain
            draft={draft}
            isNew={configuration === null}
            error={fieldError(save.error, 'domain')}
            onChange={change}
          />
        </Part>
        <Part title="Answers from">
          <SourcesField
            servers={servers}
            value={draft.sources}
            query={query}
            onChange={(sources) => change({ sources })}
          />
        </Part>
        <Part title="Tabs">
          <ToolsField value={draft.tools} onChange={(tools) => change({ tools })} />
        </Part>
        <Part title="Look">
          <LookFields draft={draft} error={save.error} onChange={change} />
        </Part>
        {save.error && !isFieldError(save.error) && <Problem error={save.error} />}
        <div class="go">
          <button type="submit" class="btn p" disabled={save.isBusy || !isChanged}>
            {save.isBusy ? 'Saving …' : 'Save the widget'}
          </button>
          {configuration && <Delete configuration={configuration} onDeleted={onDeleted} />}
          <span role="status" class="small mute">
            {!isChanged && 'Saved. Pages show it from their next view on.'}
          </span>
        </div>
      </form>
      {isAsking && (
        <Expose
          names={exposed.map(({ name }) => name)}
          onClose={() => setAsking(false)}
          onGo={() => {
            setAsking(false)
            save.run()
          }}
        />
      )}
      <aside class="aside" aria-labelledby="h-preview">
        <div class="line">
          <h3 id="h-preview">Preview</h3>
          <Segments label="Page of the preview" options={THEMES} value={theme} onChange={setTheme} />
        </div>
        <Preview draft={draft} options={options} configurationId={configuration?.id ?? ''} theme={theme} />
        <p class="small">
          It answers here too, with the sources chosen here. Questions here are free: they do not count as requests.
        </p>
        <EmbedPart configuration={configuration} servers={servers} options={options} />
      </aside>
    </div>
  )
}

/** Asks before visitors of a page can read a private server. */
function Expose({ names, onClose, onGo }: { names: readonly string[]; onClose: () => void; onGo: () => void }) {
  return (
    <Dialog title="Let visitors read a private server?" onClose={onClose}>
      <p>
        Visitors of your pages for whom your backend mints an attribution token can then ask {names.join(', ')}, and
        read from {names.length === 1 ? 'its' : 'their'} sources. Visitors without one cannot.
      </p>
      <div class="go">
        <button type="button" class="btn danger" onClick={onGo}>
          Save and let them
        </button>
        <button type="button" class="btn" onClick={onClose}>
          Keep it private
        </button>
      </div>
    </Dialog>
  )
}

function Delete({ configuration, onDeleted }: { configuration: Configuration } & Pick<Props, 'onDeleted'>) {
  const { id, name } = configuration
  return (
    <ConfirmButton
      to="configurations.delete"
      class="btn"
      title={`Delete the widget of ${name}`}
      about="Pages with its code show nothing from their next view on. This cannot be undone."
      work={async () => {
        await call('configurations.delete', { configurationId: id })
        onDeleted(id)
      }}
    >
      Delete the widget
    </ConfirmButton>
  )
}

const THEMES = [
  { name: 'light', title: 'Light' },
  { name: 'dark', title: 'Dark' },
] as const

function Part({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <div class="part">
      <h3>{title}</h3>
      <div>{children}</div>
    </div>
  )
}

type DomainProps = { draft: Draft; isNew: boolean; error: string | null; onChange: (changes: Partial<Draft>) => void }

/** A configuration belongs to its domain for good. */
function Domain({ draft, isNew, error, onChange }: DomainProps) {
  return (
    <div class="stack">
      <Field
        label="Domain"
        value={draft.domain}
        error={error}
        disabled={!isNew}
        spellcheck={false}
        autocapitalize="off"
        placeholder={isNew ? 'docs.example.com' : 'any page'}
        hint={
          isNew
            ? 'Pages of this domain and its subdomains may use it. Empty: pages of any domain.'
            : 'Each domain has one widget. For another domain, make another one.'
        }
        onInput={({ currentTarget }) => onChange({ domain: hostOf(currentTarget.value) })}
      />
      <label class="check">
        <input
          type="checkbox"
          checked={draft.isActive}
          onChange={({ currentTarget }) => onChange({ isActive: currentTarget.checked })}
        />
        <span>It is on. Pages show nothing while it is off.</span>
      </label>
    </div>
  )
}

/** People paste addresses of pages. The port counts on the developer's own machine only. */
function hostOf(text: string): string {
  if (!/^https?:\/\/./i.test(text) || !URL.canParse(text)) return text
  const { host, hostname } = new URL(text)
  return /(?:^|\.)localhost$|^127\.|^\[::1\]$/.test(hostname) ? host : hostname
}
