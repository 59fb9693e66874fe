/** Requests allowed in any span of `windowMs` milliseconds, on every plan. */
export type RateLimit = {
  limit: number
  windowMs: number
  /** What is counted, in words that follow a number, such as “requests to create a server”. */
  of: string
}

/** Messages to `POST /api/mcp/{id}`, per server and caller. */
export const MCP_RATE: RateLimit = { limit: 200, windowMs: 60_000, of: 'messages of one client to one server' }

/** Such as “10 requests to create a server in an hour”. */
export const limitInWords = ({ limit, windowMs, of }: RateLimit): string => `${limit} ${of} in ${spanInWords(windowMs)}`

/** Such as “an hour” and “15 minutes”. */
export function spanInWords(ms: number): string {
  const [count, unit] = ms % 3_600_000 === 0 ? [ms / 3_600_000, 'hour'] : [ms / 60_000, 'minute']
  if (count !== 1) return `${count} ${unit}s`
  return unit === 'hour' ? 'an hour' : 'a minute'
}
