import { loadClientConfig } from '@docent/server/config.ts'
import { CommandError } from './command-error.ts'
import { EXIT } from './exit-codes.ts'
import { connectApi, type DocentApi } from './try/docent-api.ts'

/** Client of the configured service. Throws `CommandError` without a key in the settings. */
export function connectConfigured(): DocentApi {
  const { url, apiKey } = loadClientConfig()
  if (!apiKey) throw new CommandError('Set DOCENT_API_KEY to an API key of the account.', EXIT.usage)
  return connectApi({ url, key: apiKey })
}
