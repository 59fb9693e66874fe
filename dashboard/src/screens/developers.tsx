import type { Output } from '@docent/sdk'
import { useState } from 'preact/hooks'
import { call } from '../api/call.ts'
import { type Loading, useLoad } from '../api/use-load.ts'
import { type ScreenProps, setQuery } from '../lib/router.ts'
import { ConfirmButton } from '../ui/confirm-button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { Section } from '../ui/section.tsx'
import { Segments } from '../ui/segments.tsx'
import { Snippet } from '../ui/snippet.tsx'
import { Loaded } from '../ui/states.tsx'
import { type Language, LANGUAGES, languageOf, mintingCode, pageCode } from './developers/minting-code.ts'
import { WidgetUsage } from './developers/widget-usage.tsx'

type Credentials = Output<'credentials.get'>

/** For developers who put widgets on their pages: credentials, attribution tokens and use. */
export function Developers({ query }: ScreenProps) {
  const credentials = useLoad('credentials', (signal) => call('credentials.get', {}, { signal }))
  return (
    <>
      <PageHead title="Developer portal">
        <a class="btn" href="/reference">
          API reference
        </a>
        <a class="btn p" href="/widgets">
          Widgets
        </a>
      </PageHead>
      <Section title="Credentials" about="For your backend. A widget on a page needs only its configuration.">
        <Loaded from={credentials} what="the credentials">
          {(loaded) => <Shown credentials={loaded} from={credentials} />}
        </Loaded>
      </Section>
      <Section
        title="Attribution tokens"
        about="They tell whose question a widget asks, and open private servers to it."
      >
        <Minting clientId={credentials.data?.clientId ?? 'dci_…'} language={languageOf(query.get('language'))} />
      </Section>
      <Section title="Use" about="Requests of your widgets in the last 30 days." last>
        <WidgetUsage query={query} />
      </Section>
    </>
  )
}

function Shown({ credentials, from }: { credentials: Credentials; from: Loading<Credentials> }) {
  const { clientId, clientSecret } = credentials
  const [isShown, setShown] = useState(false)
  const [isReplaced, setReplaced] = useState(false)
  return (
    <>
      <dl class="facts">
        <div>
          <dt>Client id</dt>
          <dd>
            <code>{clientId}</code>
            <CopyButton class="btn s" text={clientId} label="Copy the client id" />
          </dd>
        </div>
        <div>
          <dt>Client secret</dt>
          <dd>
            <code>{isShown ? clientSecret : `${clientSecret.slice(0, 4)}…${clientSecret.slice(-4)}`}</code>
            <button type="button" class="btn s" aria-pressed={isShown} onClick={() => setShown(!isShown)}>
              {isShown ? 'Hide' : 'Show'}
              <span class="vh"> the client secret</span>
            </button>
            <CopyButton class="btn s" text={clientSecret} label="Copy the client secret" />
          </dd>
        </div>
      </dl>
      <div class="go">
        <ConfirmButton
          to="credentials.change"
          title="Replace the client secret"
          about="Backends with the old secret are refused from their next request on. The client id stays."
          work={async () => {
            from.set(await call('credentials.change', { action: 'regenerate_secret' }))
            setReplaced(true)
          }}
        >
          Replace the secret
        </ConfirmButton>
        <span role="status" class="small mute">
          {isReplaced && 'The secret was replaced. Give the new one to your backend.'}
        </span>
      </div>
    </>
  )
}

function Minting({ clientId, language }: { clientId: string; language: Language }) {
  return (
    <ol class="numbered">
      <li>
        <p>
          <b>Your backend mints one token for each session of a widget.</b> It works once, within 15 minutes, so do not
          cache it. <code>endUserId</code> is your own id of the user. Requests of browsers are refused.
        </p>
        <div class="above-code">
          <Segments
            label="Language"
            options={LANGUAGES}
            value={language}
            onChange={(name) => setQuery({ language: name === 'curl' ? null : name })}
          />
        </div>
        <Snippet
          code={mintingCode(language, { clientId, origin: location.origin })}
          label="Copy the code of the backend"
        />
      </li>
      <li>
        <p>
          <b>The page gives it to the widget,</b> with the id of a <a href="/widgets">configuration</a>.
        </p>
        <Snippet code={pageCode(location.origin)} label="Copy the code of the page" />
      </li>
      <li>
        <p>
          <b>Requests then name the user.</b> Without a token, a widget still works, and answers from public servers
          only.
        </p>
      </li>
    </ol>
  )
}
