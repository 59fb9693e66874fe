import type { Job } from '#store/jobs/job.ts'

export type Held = {
  job: Job
  /** Start of its slice, by `performance.now()`. */
  since: number
  /** Aborted when the slice ends. */
  slice: AbortController
  /** Remaining milliseconds of its wait for a host. 0 while it works, infinite while its host has not answered at all. */
  pauseMs: () => number
}

/** A job that waits longer than this for its host gives up its slot. */
const SHORT_PAUSE_MS = 1_000
/** Held jobs per slot. All but one wait for hosts, and keep their data in memory. */
const HELD_PER_SLOT = 4
/** The same per account. Lower, so that waiting jobs of one account do not block another. */
const HELD_PER_ACCOUNT_SLOT = 2

/** Jobs of hosts that have not answered at all, beside the others. They hold a few kilobytes each. */
const MOST_UNANSWERED = 64

/** True if another job may start, with `slots` jobs working at once. */
export function hasRoom(held: Iterable<Held>, slots: number): boolean {
  const all = [...held]
  const unanswered = all.filter(isUnanswered).length
  const others = all.length - unanswered
  return all.filter(works).length < slots && others < slots * HELD_PER_SLOT && unanswered < MOST_UNANSWERED
}

/** Accounts that may not start another job, with `slots` jobs each. */
export function fullAccounts(held: Iterable<Held>, slots: number): string[] {
  const byAccount = Object.entries(Object.groupBy(held, ({ job }) => job.accountId))
  return byAccount.flatMap(([accountId, jobs = []]) =>
    jobs.filter(works).length >= slots ||
    jobs.filter((job) => !isUnanswered(job)).length >= slots * HELD_PER_ACCOUNT_SLOT
      ? [accountId]
      : [],
  )
}

type Limits = { sliceMs: number; slots: number; perAccount: number }

/**
 * Jobs that may yield: those waiting for a host first, then those of the account with the most held jobs that are
 * overdue, or that work beyond the slots because their hosts have answered late.
 */
export function inOrderOfYielding(held: Iterable<Held>, { sliceMs, slots, perAccount }: Limits): Held[] {
  const now = performance.now()
  const all = [...held]
  const working = all.filter(works)
  const ofAccount = (jobs: readonly Held[], { job }: Held) =>
    jobs.filter((other) => other.job.accountId === job.accountId).length
  const isBeyond = (one: Held) => working.length > slots || ofAccount(working, one) > perAccount
  const mayYield = (one: Held) => !works(one) || now - one.since >= sliceMs || isBeyond(one)
  return all
    .filter((one) => !one.slice.signal.aborted && !isUnanswered(one) && mayYield(one))
    .toSorted(
      (a, b) => Number(works(a)) - Number(works(b)) || ofAccount(all, b) - ofAccount(all, a) || a.since - b.since,
    )
}

const isUnanswered = ({ pauseMs }: Held): boolean => pauseMs() === Infinity
const works = ({ pauseMs }: Held): boolean => pauseMs() <= SHORT_PAUSE_MS
