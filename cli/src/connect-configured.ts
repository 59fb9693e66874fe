import { loadClientConfig } from '@docent/server/config.ts'
import { CommandError } from './command-error.ts'
import { EXIT } from './exit-codes.ts'
import { connectApi, type DocentApi, NO_KEY } from './try/docent-api.ts'

/** Client of the configured service. Throws `CommandError` without a key in the settings. */
export function connectConfigured(): DocentApi {
  const { url, apiKey } = loadClientConfig()
  if (!apiKey) throw new CommandError(NO_KEY, EXIT.signIn)
  return connectApi({ url, key: apiKey })
}
