import { selectSignedIn } from './profiles/select-instance.ts'
import { connectApi, type DocentApi } from './try/docent-api.ts'

/** Client of the selected service. Throws `CommandError` without a key for it. */
export function connectConfigured(profile: string | undefined): DocentApi {
  const { url, apiKey } = selectSignedIn(profile)
  return connectApi({ url, key: apiKey })
}
