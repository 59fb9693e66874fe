import type { Output } from '@docent/sdk'
import { Status } from '../../ui/status.tsx'

type Features = Output<'account.entitlements'>['features']

const FEATURES: Record<keyof Features, string> = {
  requestLog: 'The request log',
  analytics: 'Analytics',
  customTools: 'Custom tools',
  retrievalRules: 'Retrieval rules',
  llm: 'Answers written by a language model',
  embeddings: 'Search by meaning with an embedding model',
  javascriptRendering: 'Pages that need JavaScript',
}

/** The features of the account on this instance. */
export function Features({ features }: { features: Features }) {
  return (
    <ul class="plain">
      {(Object.keys(FEATURES) as (keyof typeof FEATURES)[]).map((name) => (
        <li key={name}>
          <Status tone={features[name] ? 'ok' : 'wait'}>{features[name] ? 'On' : 'Off'}</Status> {FEATURES[name]}
        </li>
      ))}
    </ul>
  )
}
