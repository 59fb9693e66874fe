import { DocentApiError } from '@docent/sdk/error'
import { CommandError } from '../command-error.ts'
import { exitCodeOf } from '../exit-codes.ts'
import { unreachable } from '../try/docent-api.ts'

/** The error of a request for users: a refusal, or a service that cannot be reached. Others stay as they are. */
export function explainFailure(url: string, error: unknown): unknown {
  if (error instanceof DocentApiError) return new CommandError(sentenceOf(error), exitCodeOf(error))
  // The error of fetch, which has its cause.
  if (error instanceof TypeError && error.cause instanceof Error) return unreachable(url, error)
  return error
}

/** The service's message, with the page that raises the limit, or the command that lists servers. */
function sentenceOf({ message, body, code }: DocentApiError): string {
  if (code === 'server_not_found') return `${message}. List yours: docent servers list`
  const page = body['purchaseUrl'] ?? body['upgradeUrl']
  return typeof page === 'string' ? `${message} ${page}` : message
}
