import type { Output } from '@docent/sdk'
import { useState } from 'preact/hooks'
import { call } from '../../api/call.ts'
import { useAction } from '../../api/use-action.ts'
import { useLoad } from '../../api/use-load.ts'
import { count } from '../../lib/format.ts'
import { Field } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { SecretTable } from '../../ui/secret-table.tsx'
import type { Server } from '../../ui/server-page.tsx'
import { ShownOnce } from '../../ui/shown-once.tsx'
import { Loaded } from '../../ui/states.tsx'

type Listed = Output<'accessTokens.list'>

/** The access tokens of a private server. */
export function AccessTokens({ server, query }: { server: Server; query: URLSearchParams }) {
  const tokens = useLoad(`tokens ${server.id}`, (signal) => call('accessTokens.list', { id: server.id }, { signal }))
  const [plaintext, setPlaintext] = useState<string | null>(null)
  const revoke = async (tokenId: string) => {
    await call('accessTokens.revoke', { id: server.id, tokenId })
    tokens.reload()
  }
  return (
    <Loaded from={tokens} what="the tokens">
      {(listed) => (
        <>
          {plaintext && <ShownOnce what="The new token" text={plaintext} onDone={() => setPlaintext(null)} />}
          <SecretTable
            kind="Token"
            query={query}
            secrets={listed.tokens.map(({ last4, ...token }) => ({ ...token, shown: `dat_…${last4}` }))}
            about="The client that uses it is refused from its next request on."
            onRevoke={revoke}
            to="accessTokens.revoke"
          />
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

type NewTokenProps = { server: Server; listed: Listed; onMade: (plaintext: string) => void }

function NewToken({ server, listed: { tokens, maxTokens }, onMade }: NewTokenProps) {
  const [name, setName] = useState('')
  const create = useAction(async () => {
    const { plaintext } = await call('accessTokens.create', { id: server.id, name })
    setName('')
    onMade(plaintext)
  })
  return (
    <Form action={create} submit="Make a token" isDisabled={tokens.length >= maxTokens}>
      <Field
        label="New token"
        required
        maxLength={100}
        value={name}
        placeholder="Who or what it is for"
        hint={`${count(tokens.length, 'token')} of at most ${maxTokens}.`}
        onInput={({ currentTarget }) => setName(currentTarget.value)}
      />
    </Form>
  )
}
