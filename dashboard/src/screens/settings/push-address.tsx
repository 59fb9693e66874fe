import { call } from '../../api/call.ts'
import { useAction } from '../../api/use-action.ts'
import { useLoad } from '../../api/use-load.ts'
import { ago, dateTime } from '../../lib/format.ts'
import { ConfirmButton } from '../../ui/confirm-button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Loaded, Problem } from '../../ui/states.tsx'

/** The address at which a code host or a deploy hook reports changes of a source. */
export function PushAddress(source: { id: string; sourceId: string }) {
  const pushes = useLoad(`push ${source.sourceId}`, (signal) => call('pushes.address', source, { signal }))
  const make = useAction(async () => {
    await call('pushes.makeAddress', source)
    pushes.reload()
  })
  return (
    <Loaded from={pushes} what="the push address">
      {({ url, secret, lastPushAt, lastPushFrom }) => (
        <>
          <p class="small">
            Let a code host or a deploy hook report changes, so that they are read within seconds.{' '}
            <a href="/docs/fresh-sources#push">How to set it up</a>
          </p>
          {make.error && <Problem error={make.error} />}
          {url === null || secret === null ? (
            <p class="go">
              <button type="button" class="btn s" disabled={make.isBusy} onClick={() => make.run()}>
                Make a push address
              </button>
            </p>
          ) : (
            <>
              <ul class="settings-list">
                <Secret title="Address" text={url} />
                <Secret title="Secret" text={secret} />
              </ul>
              <p class="small mute">
                {lastPushAt === null ? (
                  'No push yet.'
                ) : (
                  <time title={dateTime(lastPushAt)}>
                    Last push {ago(lastPushAt)}, from{' '}
                    {lastPushFrom === 'address' ? 'a sender without signature' : lastPushFrom}.
                  </time>
                )}
              </p>
              <p class="go">
                <ConfirmButton
                  to="pushes.makeAddress"
                  title="Replace the push address"
                  about="The present address and its secret stop working at once."
                  work={async () => {
                    await call('pushes.makeAddress', source)
                    pushes.reload()
                  }}
                >
                  Replace
                </ConfirmButton>
              </p>
            </>
          )}
        </>
      )}
    </Loaded>
  )
}

function Secret({ title, text }: { title: string; text: string }) {
  return (
    <li class="line">
      <p class="small">
        <b>{title}</b> <code>{text}</code>
      </p>
      <p class="acts">
        <CopyButton text={text} label={`Copy the ${title.toLowerCase()}`} class="btn s" />
      </p>
    </li>
  )
}
