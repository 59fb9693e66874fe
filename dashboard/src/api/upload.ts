import type { Output } from '@docent/sdk'
import { requestOf } from '@docent/sdk/request'
import { OPERATIONS } from 'virtual:operations'
import { send } from './call.ts'

/**
 * A name for an upload: the file's name in the letters that addresses of uploads allow. `handbook@2.1.zip` is a version of
 * `handbook`, or of the existing upload `source`.
 */
export function uploadName(file: Pick<File, 'name'>, source?: string | null): string {
  const name = file.name
    .toLowerCase()
    .replace(file.name.includes('@') ? /\.(?:tar\.)?[a-z][a-z0-9]{1,7}$/ : '', '')
    .replaceAll(/[^a-z0-9._@-]+|@(?!(?:v\d|\d+\.)[\w.-]*$)/g, '-')
    .slice(0, 64)
  const [version = ''] = /@.*$/.exec(name) ?? []
  return source ? source + version : name.replace(/^[^a-z0-9]+/, '') || 'upload'
}

/** Longest display name of a source. */
const MAX_LABEL = 100

/** Sends a file as a source of a server, which replaces an upload of the same name. Throws `ApiError`. */
export async function uploadFile(
  serverId: string,
  file: File,
  name = uploadName(file),
): Promise<Output<'sources.upload'>> {
  const input = {
    id: serverId,
    name,
    file: file.name,
    label: name.includes('@') ? name.replace(/@.*/, '') : file.name.slice(0, MAX_LABEL),
  }
  const { url, init } = requestOf(location.origin, OPERATIONS['sources.upload'], input, file)
  const response = await send(url, init)
  return (await response.json()) as Output<'sources.upload'>
}

type Sending = { visibility: 'public' | 'private'; onSent: (share: number) => void; signal: AbortSignal }

/** Sends the file of a server. `onSent` gets the share that was sent, from 0 to 1. Throws `ApiError`. */
export async function sendServerFile(file: File, { visibility, onSent, signal }: Sending) {
  const { url, init } = requestOf(location.origin, OPERATIONS['servers.import'], { visibility }, file)
  const response = await send(url, { ...init, signal }, false, (to, request) => fetchWithProgress(to, request, onSent))
  return (await response.json()) as Output<'servers.import'>
}

/** Like `fetch`, which does not say how much of a body was sent. */
function fetchWithProgress(url: string, init: RequestInit, onSent: (share: number) => void): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(init.method ?? 'POST', url)
    for (const [name, value] of new Headers(init.headers)) request.setRequestHeader(name, value)
    request.upload.addEventListener('progress', ({ loaded, total }) => onSent(total === 0 ? 1 : loaded / total))
    request.addEventListener('load', () => resolve(new Response(request.responseText, { status: request.status })))
    for (const end of ['error', 'abort']) request.addEventListener(end, () => reject(new TypeError(end)))
    init.signal?.addEventListener('abort', () => request.abort())
    request.send(init.body as File)
  })
}
