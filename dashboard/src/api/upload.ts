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

/** Sends a file as a source of a server. Throws `ApiError`. */
export async function uploadFile(serverId: string, file: File): Promise<Output<'sources.upload'>> {
  const query = new URLSearchParams({ name: uploadName(file), file: file.name })
  const response = await send(`/api/mcp/${encodeURIComponent(serverId)}/sources/upload?${query}`, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/octet-stream' },
    body: file,
  })
  return (await response.json()) as Output<'sources.upload'>
}
