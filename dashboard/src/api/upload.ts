import type { Output } from '@docent/sdk'
import { send } from './call.ts'

/** A name for an upload: the file's name in the letters that addresses of uploads allow. */
export function uploadName(file: Pick<File, 'name'>): string {
  const name = file.name
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .slice(0, 64)
  return name.replace(/^[^a-z0-9]+/, '') || 'upload'
}

/** Longest display name of a source. */
const MAX_LABEL = 100

/** Sends a file as a source of a server, which replaces an upload of the same name. Throws `ApiError`. */
export async function uploadFile(
  serverId: string,
  file: File,
  name = uploadName(file),
): Promise<Output<'sources.upload'>> {
  const query = new URLSearchParams({ name, file: file.name, label: file.name.slice(0, MAX_LABEL) })
  const response = await send(`/api/mcp/${encodeURIComponent(serverId)}/sources/upload?${query}`, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/octet-stream' },
    body: file,
  })
  return (await response.json()) as Output<'sources.upload'>
}
