import type { Job } from './job.ts'

/** A job in a worker's hands. */
export type Held = {
  job: Job
  /** When its slice began, by `performance.now()`. */
  since: number
  /** Aborted when its slice is over. */
  slice: AbortController
  /** Milliseconds for which it will go on waiting for a host; 0 while it works. */
  pauseMs: () => number
}

/** A job that will wait for its host for longer gives its slot to another one. */
const SHORT_PAUSE_MS = 1_000
/** Jobs in hand for each slot. Beyond the first they wait for hosts, and keep what they have in memory meanwhile. */
const HELD_PER_SLOT = 4
/** The same for one account, fewer, so that no account's waiting jobs are in the way of another's. */
const HELD_PER_ACCOUNT_SLOT = 2

/** Whether a further job may begin, where `slots` may work at once. */
export function hasRoom(held: Iterable<Held>, slots: number): boolean {
  const all = [...held]
  return all.filter(works).length < slots && all.length < slots * HELD_PER_SLOT
}

/** Accounts of which no further job may begin, where each may have `slots`. */
export function fullAccounts(held: Iterable<Held>, slots: number): string[] {
  const byAccount = Object.entries(Object.groupBy(held, ({ job }) => job.accountId))
  return byAccount.flatMap(([accountId, jobs = []]) =>
    jobs.filter(works).length >= slots || jobs.length >= slots * HELD_PER_ACCOUNT_SLOT ? [accountId] : [],
  )
}

/**
 * Jobs that may be asked to let others go first, the first to be asked first: those that wait for a host anyway, then
 * those of the account with the most jobs in hand that have worked for `sliceMs`.
 */
export function inOrderOfYielding(held: Iterable<Held>, sliceMs: number): Held[] {
  const now = performance.now()
  const all = [...held]
  const ofAccount = ({ job }: Held) => all.filter((other) => other.job.accountId === job.accountId).length
  return all
    .filter((one) => !one.slice.signal.aborted && (!works(one) || now - one.since >= sliceMs))
    .toSorted((a, b) => Number(works(a)) - Number(works(b)) || ofAccount(b) - ofAccount(a) || a.since - b.since)
}

const works = ({ pauseMs }: Held): boolean => pauseMs() <= SHORT_PAUSE_MS
