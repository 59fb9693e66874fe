import type { Operation } from '@docent/contract/operation'

type File = Blob | Uint8Array<ArrayBuffer>
type Init = { method: string; headers: Record<string, string>; body?: string | File }

/**
 * Builds the request of an operation: path fields in the path, others in the query of a GET or beside a file, otherwise
 * in the body.
 */
export function requestOf(
  baseUrl: string,
  { method, path, consumes }: Pick<Operation, 'method' | 'path' | 'consumes'>,
  input: Record<string, unknown>,
  file?: File,
): { url: string; init: Init } {
  const rest = { ...input }
  const filled = path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => {
    const { [name]: value } = rest
    delete rest[name]
    return encodeURIComponent(String(value))
  })
  const url = new URL(baseUrl.replace(/(?<!\/)\/+$/, '') + filled)
  const headers = { accept: 'application/json' }
  if (consumes && file === undefined) throw new TypeError('This operation needs a file.')
  if (method !== 'GET' && !consumes) {
    const body = JSON.stringify(rest)
    return { url: url.href, init: { method, headers: { ...headers, 'content-type': 'application/json' }, body } }
  }
  for (const [name, value] of Object.entries(rest)) {
    if (value !== undefined) url.searchParams.set(name, typeof value === 'string' ? value : JSON.stringify(value))
  }
  if (!consumes || file === undefined) return { url: url.href, init: { method, headers } }
  return { url: url.href, init: { method, headers: { ...headers, 'content-type': consumes }, body: file } }
}
