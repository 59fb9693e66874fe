import type { CallFilter } from '#store/calls/read-calls.ts'

/** Filters of an operation, as validated. */
type Given = {
  [Name in Exclude<keyof CallFilter, 'since'>]?: CallFilter[Name] | undefined
}

/** The given filters, without those that are absent. */
export function filterOf({ tool, client, status, configuration, endUser, feedback }: Given): Omit<CallFilter, 'since'> {
  return {
    ...(tool === undefined ? {} : { tool }),
    ...(client === undefined ? {} : { client }),
    ...(status === undefined ? {} : { status }),
    ...(configuration === undefined ? {} : { configuration }),
    ...(endUser === undefined ? {} : { endUser }),
    ...(feedback === undefined ? {} : { feedback }),
  }
}
