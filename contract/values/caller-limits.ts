import { z } from 'zod'

const perDay = z.number().int().min(0).max(1_000_000)

/** Limits that an owner sets for callers without a credential. 0 is no limit. */
export const CallerLimitsSchema = z.object({
  reservedPercent: z
    .number()
    .int()
    .min(0)
    .max(100)
    .describe(
      'Percent of the monthly allowance for callers with an access token, an API key or an attribution token; 0: none',
    ),
  anonymousPerDay: perDay.describe('Calls that all other callers can make in a day (UTC); 0: no limit'),
  anonymousPerNetworkPerDay: perDay.describe(
    'Calls of one network address in a day. Of IPv6 that is a /64, with four times the limit for its /56 and 16 times for its /48; 0: no limit',
  ),
})

export type CallerLimits = z.output<typeof CallerLimitsSchema>

export const NO_CALLER_LIMITS: CallerLimits = { reservedPercent: 0, anonymousPerDay: 0, anonymousPerNetworkPerDay: 0 }
