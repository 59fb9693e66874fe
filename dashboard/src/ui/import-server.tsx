import type { Output } from '@docent/sdk'
import { useEffect, useRef, useState } from 'preact/hooks'
import { sendServerFile } from '../api/upload.ts'
import { useAction } from '../api/use-action.ts'
import { count } from '../lib/format.ts'
import { holdPage } from '../lib/leave.ts'
import { FileButton } from './file-button.tsx'
import { Section } from './section.tsx'
import { ShownOnce } from './shown-once.tsx'
import { Problem } from './states.tsx'

/** Makes a server from a file that an instance has exported, and shows its first token. */
export function ImportServer() {
  const [isPublic, setPublic] = useState(false)
  const [made, setMade] = useState<Output<'servers.import'> | null>(null)
  const [hasToken, setHasToken] = useState(false)
  const { send, sent, cancel } = useImport((server) => {
    setMade(server)
    setHasToken(server.accessToken !== null)
  })
  return (
    <Section title="From a file" about="One that was exported in the settings of a server." to="servers.import" last>
      <div class="stack">
        {made && (
          <p role="status">
            <a href={`/servers/${made.slug}`}>{made.slug}</a> is made. {count(made.pages, 'page')} came with the file.
          </p>
        )}
        {made && hasToken && (
          <ShownOnce what="The first access token" text={made.accessToken ?? ''} onDone={() => setHasToken(false)} />
        )}
        {send.error && <Problem error={send.error} />}
        {send.isBusy ? (
          <div class="sending">
            <progress aria-label="Share of the file that was sent" value={sent} />
            <span class="small mute">{sent < 1 ? `${Math.floor(sent * 100)} % sent` : 'Making the server …'}</span>
            <button type="button" class="btn s" onClick={cancel}>
              Cancel
            </button>
          </div>
        ) : (
          <div class="sending">
            <FileButton onChoose={([file]) => file && send.run(file, isPublic)}>Import a server</FileButton>
            <label class="check">
              <input
                type="checkbox"
                checked={isPublic}
                onChange={({ currentTarget }) => setPublic(currentTarget.checked)}
              />
              Public, unless it has private sources
            </label>
          </div>
        )}
      </div>
    </Section>
  )
}

/** An import under way. It ends with the page, which asks before it is left. */
function useImport(onMade: (server: Output<'servers.import'>) => void) {
  const [sent, setSent] = useState(0)
  const request = useRef(new AbortController())
  const send = useAction(async (file: File, isPublic: boolean) => {
    request.current = new AbortController()
    const { signal } = request.current
    setSent(0)
    try {
      onMade(await sendServerFile(file, { visibility: isPublic ? 'public' : 'private', onSent: setSent, signal }))
    } catch (error) {
      if (!signal.aborted) throw error
    }
  })
  const cancel = () => request.current.abort()
  useEffect(() => holdPage(() => (send.isBusy ? 'file' : null)), [send.isBusy])
  useEffect(() => cancel, [])
  return { send, sent, cancel }
}
