import { DocentApiError } from '@docent/sdk/error'
import { CommandError } from '../command-error.ts'
import { exitCodeOf } from '../exit-codes.ts'
import { unreachable } from '../try/docent-api.ts'

/** The error of a request for users: a refusal, or a service that cannot be reached. Others stay as they are. */
export function explainFailure(url: string, error: unknown): unknown {
  if (error instanceof DocentApiError) return new CommandError(error.message, exitCodeOf(error))
  // The error of fetch, which has its cause.
  if (error instanceof TypeError && error.cause instanceof Error) return unreachable(url, error)
  return error
}
