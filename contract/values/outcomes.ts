/**
 * How a call ended. Each call has one, decided where its answer is made and stored with it:
 * `answered`: the sources answer; `related`: they do not, but have something about it; `none`: they have nothing;
 * `refused`: the arguments or the name of the tool were refused; `failed`: the service or an upstream could not answer.
 */
export const OUTCOMES = ['answered', 'related', 'none', 'refused', 'failed'] as const
export type Outcome = (typeof OUTCOMES)[number]

/** What each outcome means, for the description of a field. */
export const ABOUT_OUTCOMES =
  '`answered`: the sources answer; `related`: they do not, but have something about it; `none`: they have nothing; `refused`: the arguments or the name of the tool were refused; `failed`: the service or an upstream could not answer'

/** The outcomes of calls whose status is `error`. All others have the status `ok`. */
export const ERRORS = ['refused', 'failed'] as const satisfies readonly Outcome[]

/** The outcomes of calls without a good answer that the service could carry out. */
export const WITHOUT_ANSWER = ['related', 'none'] as const satisfies readonly Outcome[]

export type Status = 'ok' | 'error'

export const statusOf = (outcome: Outcome): Status =>
  (ERRORS as readonly Outcome[]).includes(outcome) ? 'error' : 'ok'

/** The outcomes that have a status. */
export const outcomesOf = (status: Status): Outcome[] => OUTCOMES.filter((outcome) => statusOf(outcome) === status)

export const isWithoutAnswer = (outcome: Outcome): boolean => (WITHOUT_ANSWER as readonly Outcome[]).includes(outcome)
