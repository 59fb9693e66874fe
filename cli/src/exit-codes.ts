/** Exit codes of commands, for scripts. */
export const EXIT = {
  ok: 0,
  error: 1,
  usage: 2,
  signIn: 3,
  unreachable: 4,
  toolFailed: 5,
  limit: 6,
  notFound: 7,
  interrupted: 130,
} as const

/** The exit code for a refusal by the service, by its status and its code. */
export function exitCodeOf({ status, code }: { status: number; code?: string | null }): number {
  if (status === 401) return EXIT.signIn
  if (status === 404) return EXIT.notFound
  const isLimit = status === 402 || status === 429 || code?.endsWith('_limit') === true
  return isLimit ? EXIT.limit : EXIT.error
}
