import { useRef, useState } from 'preact/hooks'
import { call } from '../api/call.ts'
import { useMay } from '../api/may.ts'
import { useAction } from '../api/use-action.ts'
import { randomKey } from '../lib/random-key.ts'
import { navigate } from '../lib/router.ts'
import { uploadFile, uploadName } from '../api/upload.ts'
import { bytes } from '../lib/format.ts'
import { Field } from './field.tsx'
import { FileButton } from './file-button.tsx'
import { PatternFields, type PatternTexts, readPatterns } from './pattern-fields.tsx'
import { Problem } from './states.tsx'
import { Status } from './status.tsx'
import { useDrop } from './use-drop.ts'
import { useUnsaved } from './use-unsaved.ts'
import { type Detection, useDetection, withScheme } from './use-detection.ts'
import '../styles/new-server.css'

type Choices = { isPrivate: boolean; refresh: 'off' | 'hourly' | 'daily' | 'weekly'; patterns: PatternTexts }
type NewServer = { url: string; files: readonly File[]; name: string; choices: Choices }

const USUAL: Choices = { isPrivate: false, refresh: 'daily', patterns: { include: '', exclude: '', versions: '' } }

/** One field for an address or files. The rest is detected, and can be changed. */
export function NewServerForm() {
  const [url, setUrl] = useState('')
  const [files, setFiles] = useState<File[]>([])
  const [name, setName] = useState('')
  const [choices, setChoices] = useState(USUAL)
  const found = useDetection(url)
  const suggested = suggestedName(found.detection, url)
  const create = useCreate({ url, files, name: name.trim() || suggested, choices })
  const form = useUnsaved(create)
  const [isTried, setTried] = useState(false)
  const typed = url.trim()
  const isReady = typed === '' ? files.length > 0 : found.isAddress
  const drop = useDrop((added) => setFiles([...files, ...added]))
  const onlyFiles = typed === '' && files.length > 0
  return (
    <form
      ref={form}
      class={drop.isOver ? 'new is-over' : 'new'}
      {...drop.events}
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (isReady) create.run()
      }}
    >
      <AddressField url={url} onChange={setUrl} error={isTried ? problemOf(typed, isReady) : null} />
      <Found {...found} />
      <FileChoice files={files} onChange={setFiles} isOver={drop.isOver} />
      <Field
        label="Name"
        value={name}
        maxLength={200}
        {...(onlyFiles
          ? { required: true, hint: 'Files have no title of their own: say what they are about.' }
          : { placeholder: suggested })}
        onInput={({ currentTarget }) => setName(currentTarget.value)}
      />
      <MoreChoices choices={choices} onChange={(changed) => setChoices((old) => ({ ...old, ...changed }))} />
      {!choices.isPrivate && <PublicOffer />}
      {create.error && <Problem error={create.error} />}
      <div class="go">
        <button type="submit" class="btn p" disabled={create.isBusy}>
          {create.isBusy ? 'Making the server …' : 'Make the server'}
        </button>
      </div>
    </form>
  )
}

/** What a public server costs its owner, and the way to limit that. In another tab, so that the form stays. */
function PublicOffer() {
  const may = useMay()
  return (
    <p class="mute">
      Anybody can call a public server, and use up the requests of your plan.{' '}
      {may('account.changeCallerLimits') && (
        <a href="/plan" target="_blank" rel="noopener">
          Limit callers without a token
        </a>
      )}
    </p>
  )
}

/** Makes the server, uploads its files and opens it. */
function useCreate({ url, files, name, choices: { isPrivate, refresh, patterns } }: NewServer) {
  // A repeated request after a lost answer creates no second server.
  const idempotencyKey = useRef(randomKey())
  return useAction(async () => {
    const address = url.trim()
    const made = await call(
      'servers.create',
      {
        name,
        visibility: isPrivate ? 'private' : 'public',
        sources: address === '' ? [] : [{ url: withScheme(address), ...readPatterns(patterns) }],
        uploads: files.map((file) => uploadName(file)),
      },
      { idempotencyKey: idempotencyKey.current },
    )
    if (refresh !== 'daily') await call('servers.update', { id: made.serverId, refresh })
    for (const file of files) await uploadFile(made.serverId, file)
    navigate(`/servers/${made.slug}`)
  })
}

/** Why no server is made of what was typed. */
function problemOf(typed: string, isReady: boolean): string | null {
  if (isReady) return null
  return typed === ''
    ? 'Give an address, or choose files.'
    : `“${typed}” is not an address. One is such as docs.example.org.`
}

type AddressProps = { url: string; onChange: (url: string) => void; error: string | null }

function AddressField({ url, onChange, error }: AddressProps) {
  return (
    <Field
      error={error}
      class="big-field"
      label="Address"
      inputMode="url"
      placeholder="https://docs.example.org/"
      autofocus
      spellcheck={false}
      autocapitalize="off"
      value={url}
      onInput={({ currentTarget }) => onChange(currentTarget.value)}
      hint="A site, a repository, a PDF, an API description or another MCP server. Or drop files here."
    />
  )
}

/** The kind of source at the address, or the reason why none was found. */
function Found({ detection, error, isLooking }: Omit<ReturnType<typeof useDetection>, 'isAddress'>) {
  return (
    <div role="status" class="found">
      {isLooking && <Status tone="wait">Looking</Status>}
      {detection && !detection.problem && <Status tone="ok">{detection.reason}</Status>}
      {detection?.problem && <Status tone="warn">{detection.problem}</Status>}
      {detection?.warning && <Status tone="warn">{detection.warning}</Status>}
      {error && <Status tone="warn">{error.message}</Status>}
    </div>
  )
}

type FilesProps = { files: readonly File[]; onChange: (files: File[]) => void; isOver: boolean }

/** The chosen files. Each can be taken out again. */
function FileChoice({ files, onChange, isOver }: FilesProps) {
  return (
    <div class="files">
      <FileButton isSmall isMultiple onChoose={(added) => onChange([...files, ...added])}>
        Choose files
      </FileButton>
      {isOver && <b role="status">Drop the files here.</b>}
      {files.length > 0 && (
        <ul aria-label="Chosen files">
          {files.map((file, index) => (
            <li key={`${index} ${file.name}`}>
              <span class="m small">{file.name}</span> <span class="small mute">{bytes(file.size)}</span>{' '}
              <button type="button" class="lnk small" onClick={() => onChange(files.filter((_, at) => at !== index))}>
                Remove<span class="vh"> {file.name}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

type MoreProps = { choices: Choices; onChange: (changed: Partial<Choices>) => void }

/** Who may call the server, how often it is indexed, and which paths. */
function MoreChoices({ choices: { isPrivate, refresh, patterns }, onChange }: MoreProps) {
  return (
    <details>
      <summary>More choices</summary>
      <div class="more">
        <label class="check">
          <input
            type="checkbox"
            checked={isPrivate}
            onChange={({ currentTarget }) => onChange({ isPrivate: currentTarget.checked })}
          />
          Private: only callers with an access token
        </label>
        <label class="field">
          <span class="lab">Index again</span>
          <select
            value={refresh}
            onChange={({ currentTarget }) => onChange({ refresh: currentTarget.value as Choices['refresh'] })}
          >
            <option value="hourly">Every hour</option>
            <option value="daily">Every day</option>
            <option value="weekly">Every week</option>
            <option value="off">Only by hand</option>
          </select>
        </label>
        <PatternFields value={patterns} onChange={(changed) => onChange({ patterns: changed })} />
      </div>
    </details>
  )
}

function suggestedName(detection: Detection | null, url: string): string {
  if (detection?.label) return detection.label.slice(0, 80)
  const address = withScheme(url.trim())
  return URL.canParse(address) ? new URL(address).hostname.replace(/^www\./, '') : 'My docs'
}
