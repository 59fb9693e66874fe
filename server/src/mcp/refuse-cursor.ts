import { RPC, type RpcError } from './json-rpc.ts'

/** Refuses a `tools/list` request with a cursor. Null without one. All tools fit one page, so no cursor is valid. */
export function refuseCursor({ cursor }: Record<string, unknown>): RpcError | null {
  if (cursor === undefined || cursor === null || cursor === '') return null
  return { code: RPC.invalidParams, message: 'The cursor is not one of ours: tools/list has a single page.' }
}
