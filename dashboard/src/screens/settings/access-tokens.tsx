import type { Output } from '@docent/sdk'
import { useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import { useAction } from '../../api/use-action.ts'
import { useLoad } from '../../api/use-load.ts'
import { ago, count, dateTime } from '../../lib/format.ts'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { Field } from '../../ui/field.tsx'
import type { Server } from '../../ui/server-page.tsx'
import { ShownOnce } from '../../ui/shown-once.tsx'
import { Loaded, Problem } from '../../ui/states.tsx'

type Listed = Output<'accessTokens.list'>
type Token = Listed['tokens'][number]

/** The access tokens of a private server. */
export function AccessTokens({ server }: { server: Server }) {
  const tokens = useLoad(`tokens ${server.id}`, (signal) => call('accessTokens.list', { id: server.id }, { signal }))
  const [plaintext, setPlaintext] = useState<string | null>(null)
  return (
    <Loaded from={tokens} what="the tokens">
      {(listed) => (
        <>
          {plaintext && <ShownOnce what="The new token" text={plaintext} onDone={() => setPlaintext(null)} />}
          <table class="table">
            <thead>
              <tr>
                <th scope="col">Name</th>
                <th scope="col">Token</th>
                <th scope="col">Last used</th>
                <th scope="col" class="r">
                  <span class="vh">What you can do</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {listed.tokens.map((token) => (
                <Row key={token.id} token={token} server={server} onChange={tokens.reload} />
              ))}
            </tbody>
          </table>
          <NewToken
            server={server}
            listed={listed}
            onMade={(made) => {
              setPlaintext(made)
              tokens.reload()
            }}
          />
        </>
      )}
    </Loaded>
  )
}

function Row({ token, server, onChange }: { token: Token; server: Server; onChange: () => void }) {
  const { id, name, last4, lastUsedAt } = token
  return (
    <tr>
      <th scope="row">{name}</th>
      <td class="m">dat_…{last4}</td>
      <td data-label="Last used">
        {lastUsedAt ? <time title={dateTime(lastUsedAt)}>{ago(lastUsedAt)}</time> : 'never'}
      </td>
      <td class="r">
        <ConfirmButton
          title={`Revoke ${name}`}
          about="The client that uses it is refused from its next request on."
          work={async () => {
            await call('accessTokens.revoke', { id: server.id, tokenId: id })
            onChange()
          }}
        >
          Revoke
        </ConfirmButton>
      </td>
    </tr>
  )
}

type NewTokenProps = { server: Server; listed: Listed; onMade: (plaintext: string) => void }

function NewToken({ server, listed: { tokens, maxTokens }, onMade }: NewTokenProps) {
  const [name, setName] = useState('')
  const create = useAction(async () => {
    const { plaintext } = await call('accessTokens.create', { id: server.id, name })
    setName('')
    onMade(plaintext)
  })
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault()
        create.run()
      }}
    >
      <Field
        label="New token"
        required
        maxLength={100}
        value={name}
        placeholder="Who or what it is for"
        hint={`${count(tokens.length, 'token')} of at most ${maxTokens}.`}
        onInput={({ currentTarget }) => setName(currentTarget.value)}
      />
      {create.error && <Problem error={create.error} />}
      <div class="go">
        <button type="submit" class="btn" disabled={create.isBusy || tokens.length >= maxTokens}>
          Make a token
        </button>
      </div>
    </form>
  )
}
