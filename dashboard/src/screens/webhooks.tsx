import '../styles/webhooks.css'
import { call } from '../api/call.ts'
import { useLoad } from '../api/use-load.ts'
import { PageHead } from '../ui/page-head.tsx'
import { Section } from '../ui/section.tsx'
import { Loaded } from '../ui/states.tsx'
import { NewWebhook } from './webhooks/new-webhook.tsx'
import { WebhookItem } from './webhooks/webhook-item.tsx'

/** Addresses that get the events of the account, with the log of each. */
export function Webhooks() {
  const list = useLoad('webhooks', (signal) => call('webhooks.list', {}, { signal }))
  return (
    <>
      <PageHead title="Webhooks" />
      <Loaded from={list} what="the webhooks">
        {({ webhooks, available, maxWebhooks }) => (
          <>
            <Section title="Webhooks" about={`Signed requests to your systems. At most ${maxWebhooks}.`}>
              {webhooks.length === 0 ? (
                <p class="mute">There is no webhook yet.</p>
              ) : (
                <ul class="hooks">
                  {webhooks.map((webhook) => (
                    <WebhookItem key={webhook.id} webhook={webhook} available={available} onChange={list.reload} />
                  ))}
                </ul>
              )}
            </Section>
            <Section
              title="New webhook"
              about="The receiver answers with a status from 200 to 299 within 10 seconds, and verifies the signature."
              last
            >
              <NewWebhook available={available} isFull={webhooks.length >= maxWebhooks} onMade={list.reload} />
            </Section>
          </>
        )}
      </Loaded>
    </>
  )
}
