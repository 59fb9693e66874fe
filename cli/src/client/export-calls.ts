import { operations } from '@docent/contract/operations'
import { DocentApiError } from '@docent/sdk/error'
import { requestOf } from '@docent/sdk/request'
import { fetchAsDocent } from '../open-client.ts'
import type { Around, Options, Shown } from './client-command.ts'

const OPERATION = operations['analytics.exportCalls']

type Filter = { id: string; format: string } & Options

/** Writes the request log of a server to standard output as it arrives, because it can be long. */
export async function exportCalls(filter: Filter, { instance, terminal, signal }: Around): Promise<Shown> {
  const { url, init } = requestOf(instance.url, OPERATION, filter)
  const headers = { ...init.headers, authorization: `Bearer ${instance.apiKey ?? ''}` }
  const response = await fetchAsDocent(url, { headers, signal })
  if (!response.ok) throw await DocentApiError.from(response, OPERATION.errors)
  let end = ''
  for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    terminal.out(part)
    end = part
  }
  if (!end.endsWith('\n')) terminal.out('\n')
  return {}
}
