export type Filter = {
  tool: string | null
  client: string | null
  status: 'ok' | 'error' | null
  configuration: string | null
}

/** The filter in the address. Any outcome other than these two is ignored. */
export function filterOf(query: URLSearchParams): Filter {
  const status = query.get('status')
  return {
    tool: query.get('tool'),
    client: query.get('client'),
    status: status === 'ok' || status === 'error' ? status : null,
    configuration: query.get('configuration'),
  }
}

export const isFiltered = (filter: Filter): boolean => Object.values(filter).some(Boolean)

/** The filter as members of a request. */
export function given({ tool, client, status, configuration }: Filter) {
  return {
    ...(tool ? { tool } : {}),
    ...(client ? { client } : {}),
    ...(status ? { status } : {}),
    ...(configuration ? { configuration } : {}),
  }
}
