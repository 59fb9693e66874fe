import type { OperationId } from '@docent/contract/operations'
import type { Input, Output } from '@docent/sdk'
import { requestOf } from '@docent/sdk/request'
import { OPERATIONS } from 'virtual:operations'
import { send } from './call.ts'

/** Calls an operation that answers with one JSON object per line, and gives each as it arrives. Throws `ApiError`. */
export async function* stream<Id extends OperationId>(
  id: Id,
  input: Input<Id>,
  { idempotencyKey, signal }: { idempotencyKey?: string; signal?: AbortSignal } = {},
): AsyncGenerator<Output<Id>> {
  const { url, init } = requestOf(location.origin, OPERATIONS[id], input)
  const headers = { ...init.headers, ...(idempotencyKey ? { 'idempotency-key': idempotencyKey } : {}) }
  const { body } = await send(url, { ...init, headers, ...(signal ? { signal } : {}) })
  if (!body) return
  // Safari cannot iterate over streams.
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const lines = (rest + part.value).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) if (line.trim() !== '') yield JSON.parse(line) as Output<Id>
    }
    if (rest.trim() !== '') yield JSON.parse(rest) as Output<Id>
  } finally {
    await reader.cancel()
  }
}
