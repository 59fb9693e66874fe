import type { Operation } from '@docent/contract/operation'

type Init = { method: string; headers: Record<string, string>; body?: string }

/** Builds the request of an operation: path fields in the path, others in the query of a GET, otherwise in the body. */
export function requestOf(
  baseUrl: string,
  { method, path }: Pick<Operation, 'method' | 'path'>,
  input: Record<string, unknown>,
): { url: string; init: Init } {
  const rest = { ...input }
  const filled = path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => {
    const { [name]: value } = rest
    delete rest[name]
    return encodeURIComponent(String(value))
  })
  const url = new URL(baseUrl.replace(/(?<!\/)\/+$/, '') + filled)
  const headers = { accept: 'application/json' }
  if (method !== 'GET') {
    const body = JSON.stringify(rest)
    return { url: url.href, init: { method, headers: { ...headers, 'content-type': 'application/json' }, body } }
  }
  for (const [name, value] of Object.entries(rest)) {
    if (value !== undefined) url.searchParams.set(name, typeof value === 'string' ? value : JSON.stringify(value))
  }
  return { url: url.href, init: { method, headers } }
}
