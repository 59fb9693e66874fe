import { selectSignedIn } from './profiles/select-instance.ts'
import type { Terminal } from './terminal.ts'
import { connectApi, type DocentApi } from './try/docent-api.ts'

/** Client of the selected service. Throws `CommandError` without a key for it. */
export function connectConfigured(terminal: Terminal, profile: string | undefined): DocentApi {
  const { url, apiKey } = selectSignedIn(terminal, profile)
  return connectApi({ url, key: apiKey })
}
