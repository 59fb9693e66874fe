import type { Output } from '@docent/sdk'
import { useEffect, useRef, useState } from 'preact/hooks'
import { ApiError } from '../api/api-error.ts'
import { call } from '../api/call.ts'
import { useAction } from '../api/use-action.ts'
import { navigate } from '../lib/router.ts'
import { uploadFile, uploadName } from '../api/upload.ts'
import { Field } from './field.tsx'
import { PatternFields, readPatterns } from './pattern-fields.tsx'
import { Problem } from './states.tsx'
import { Status } from './status.tsx'
import '../styles/new-server.css'

type Detection = Output<'sources.detect'>

/** Pause in typing after which the address is looked at. */
const SETTLE_MS = 500

/** One field for an address or files. The rest is detected, and can be changed. */
export function NewServerForm() {
  const [url, setUrl] = useState('')
  const [files, setFiles] = useState<File[]>([])
  const [name, setName] = useState('')
  const [isPrivate, setPrivate] = useState(false)
  const [refresh, setRefresh] = useState<'off' | 'hourly' | 'daily' | 'weekly'>('daily')
  const [patterns, setPatterns] = useState({ include: '', exclude: '' })
  const { detection, error: undetected, isLooking } = useDetection(url)
  const suggested = suggestedName(detection, files, url)
  // A repeated request after a lost answer creates no second server.
  const idempotencyKey = useRef(crypto.getRandomValues(new Uint32Array(4)).join('-'))
  const create = useAction(async () => {
    const address = url.trim()
    const made = await call(
      'servers.create',
      {
        name: name.trim() || suggested,
        visibility: isPrivate ? 'private' : 'public',
        sources: address === '' ? [] : [{ url: withScheme(address), ...readPatterns(patterns) }],
        uploads: files.map(uploadName),
      },
      { idempotencyKey: idempotencyKey.current },
    )
    if (refresh !== 'daily') await call('servers.update', { id: made.serverId, refresh })
    for (const file of files) await uploadFile(made.serverId, file)
    navigate(`/servers/${made.slug}`)
  })
  const isReady = url.trim() !== '' || files.length > 0
  return (
    <form
      class="new"
      onSubmit={(event) => {
        event.preventDefault()
        if (isReady) create.run()
      }}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        setFiles([...files, ...(event.dataTransfer?.files ?? [])])
      }}
    >
      <Field
        class="big-field"
        label="Address"
        inputMode="url"
        placeholder="https://docs.example.org/"
        autofocus
        spellcheck={false}
        autocapitalize="off"
        value={url}
        onInput={({ currentTarget }) => setUrl(currentTarget.value)}
        hint="A site, a repository, a PDF, an API description or another MCP server. Or drop files here."
      />
      <div role="status" class="found">
        {isLooking && <Status tone="wait">Looking</Status>}
        {detection && !detection.problem && <Status tone="ok">{detection.reason}</Status>}
        {detection?.problem && <Status tone="warn">{detection.problem}</Status>}
        {undetected && <Status tone="warn">{undetected.message}</Status>}
      </div>
      <p class="files">
        <label class="btn s">
          Choose files
          <input
            type="file"
            multiple
            class="vh"
            onChange={({ currentTarget }) => setFiles([...files, ...(currentTarget.files ?? [])])}
          />
        </label>
        {files.map((file) => (
          <span key={file.name} class="m small">
            {file.name}
          </span>
        ))}
      </p>
      <Field
        label="Name"
        value={name}
        placeholder={suggested}
        maxLength={200}
        onInput={({ currentTarget }) => setName(currentTarget.value)}
      />
      <details>
        <summary>More choices</summary>
        <div class="more">
          <label class="check">
            <input
              type="checkbox"
              checked={isPrivate}
              onChange={({ currentTarget }) => setPrivate(currentTarget.checked)}
            />
            Private: only callers with an access token
          </label>
          <label class="field">
            <span class="lab">Index again</span>
            <select value={refresh} onChange={({ currentTarget }) => setRefresh(currentTarget.value as typeof refresh)}>
              <option value="hourly">Every hour</option>
              <option value="daily">Every day</option>
              <option value="weekly">Every week</option>
              <option value="off">Only by hand</option>
            </select>
          </label>
          <PatternFields value={patterns} onChange={setPatterns} />
        </div>
      </details>
      {create.error && <Problem error={create.error} />}
      <div class="go">
        <button type="submit" class="btn p" disabled={!isReady || create.isBusy}>
          {create.isBusy ? 'Making the server …' : 'Make the server'}
        </button>
      </div>
    </form>
  )
}

/** What the address leads to, a moment after the last change. */
function useDetection(url: string) {
  const [state, setState] = useState<{ url: string; detection: Detection | null; error: Error | null }>(NOTHING)
  const address = url.trim()
  const isAddress =
    (URL.canParse(withScheme(address)) && /\./.test(address.replace(/^https?:\/\//, ''))) ||
    /^https?:\/\/./.test(address)
  useEffect(() => {
    if (!isAddress) return
    const ended = new AbortController()
    const timer = setTimeout(() => {
      call('sources.detect', { url: withScheme(address) }, { signal: ended.signal }).then(
        (detection) => setState({ url: address, detection, error: null }),
        (error: Error) => ended.signal.aborted || setState({ url: address, detection: null, error: told(error) }),
      )
    }, SETTLE_MS)
    return () => {
      clearTimeout(timer)
      ended.abort()
    }
  }, [address, isAddress])
  const isCurrent = state.url === address && address !== ''
  return {
    detection: isCurrent ? state.detection : null,
    error: isCurrent ? state.error : null,
    isLooking: isAddress && !isCurrent,
  }
}

const NOTHING = { url: '', detection: null, error: null }

const told = (error: Error): Error => {
  const { message } = error instanceof ApiError ? error.body : {}
  return typeof message === 'string' ? new Error(message) : error
}

const withScheme = (address: string): string =>
  /^[a-z][a-z0-9+.-]*:\/\//i.test(address) ? address : `https://${address}`

function suggestedName(detection: Detection | null, files: readonly File[], url: string): string {
  if (detection?.label) return detection.label.slice(0, 80)
  const [file] = files
  if (url.trim() === '' && file) return file.name.replace(/\.\w+$/, '')
  const address = withScheme(url.trim())
  return URL.canParse(address) ? new URL(address).hostname.replace(/^www\./, '') : 'My docs'
}
