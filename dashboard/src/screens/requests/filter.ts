import { OUTCOMES, type Outcome } from '@docent/contract/values/outcomes'

export type Filter = {
  tool: string | null
  client: string | null
  outcome: Outcome | null
  configuration: string | null
}

/** The filter in the address. An unknown outcome is ignored. */
export function filterOf(query: URLSearchParams): Filter {
  return {
    tool: query.get('tool'),
    client: query.get('client'),
    outcome: OUTCOMES.find((outcome) => outcome === query.get('outcome')) ?? null,
    configuration: query.get('configuration'),
  }
}

export const isFiltered = (filter: Filter): boolean => Object.values(filter).some(Boolean)

/** The filter as members of a request. */
export function given({ tool, client, outcome, configuration }: Filter) {
  return {
    ...(tool ? { tool } : {}),
    ...(client ? { client } : {}),
    ...(outcome ? { outcome } : {}),
    ...(configuration ? { configuration } : {}),
  }
}
