import { useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import { uploadFile } from '../../api/upload.ts'
import { useAction } from '../../api/use-action.ts'
import { Field } from '../../ui/field.tsx'
import { FileButton } from '../../ui/file-button.tsx'
import { say } from '../../ui/notices.tsx'
import type { Server } from '../../ui/server-page.tsx'
import { ShownOnce } from '../../ui/shown-once.tsx'
import { Problem } from '../../ui/states.tsx'
import { useDrop } from '../../ui/use-drop.ts'
import { useUnsaved } from '../../ui/use-unsaved.ts'

/** A further source: an address, or files. */
export function AddSource({ server, onChange }: { server: Server; onChange: () => void }) {
  const [url, setUrl] = useState('')
  const [secret, setSecret] = useState('')
  const [token, setToken] = useState<string | null>(null)
  const add = useAction(async () => {
    const auth = secret === '' ? {} : { type: 'mcp' as const, auth: { secret } }
    const { issuedToken, warning } = await call('sources.add', { id: server.id, url: url.trim(), ...auth })
    setToken(issuedToken?.plaintext ?? null)
    if (warning !== undefined) say(warning)
    setUrl('')
    setSecret('')
    onChange()
  })
  const upload = useAction(async (files: readonly File[]) => {
    for (const file of files) await uploadFile(server.id, file)
    say(files.length === 1 ? 'Uploaded' : `${files.length} files uploaded`)
    onChange()
  })
  const form = useUnsaved(add)
  const drop = useDrop(upload.run)
  return (
    <form
      ref={form}
      class={drop.isOver ? 'stack add is-over' : 'stack add'}
      {...drop.events}
      onSubmit={(event) => {
        event.preventDefault()
        add.run()
      }}
    >
      {token && (
        <ShownOnce
          what="The first access token: the source made the server private"
          text={token}
          onDone={() => setToken(null)}
        />
      )}
      <AddressFields url={url} onUrl={setUrl} secret={secret} onSecret={setSecret} />
      {add.error && <Problem error={add.error} />}
      {upload.error && <Problem error={upload.error} />}
      <div class="go">
        <button type="submit" class="btn" disabled={add.isBusy}>
          Add the source
        </button>
        <FileButton isMultiple isBusy={upload.isBusy} onChoose={upload.run}>
          Upload files
        </FileButton>
      </div>
    </form>
  )
}

type AddressProps = { url: string; onUrl: (url: string) => void; secret: string; onSecret: (secret: string) => void }

/** The address of a source. An address that looks like an MCP server asks for a credential too. */
function AddressFields({ url, onUrl, secret, onSecret }: AddressProps) {
  return (
    <>
      <Field
        label="Add a source"
        type="url"
        required
        placeholder="https://docs.example.org/"
        value={url}
        hint="An address, or files: drop them here. A file named handbook@2.1.zip is version 2.1 of the source handbook."
        onInput={({ currentTarget }) => onUrl(currentTarget.value)}
      />
      {/\bmcp\b/i.test(url) && (
        <Field
          label="Credential of the MCP server, if it needs one"
          type="password"
          autocomplete="off"
          value={secret}
          hint="Sent as the Authorization header. It makes this server private."
          onInput={({ currentTarget }) => onSecret(currentTarget.value)}
        />
      )}
    </>
  )
}
