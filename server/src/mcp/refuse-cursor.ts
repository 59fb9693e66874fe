import { RPC, type RpcError } from './json-rpc.ts'

/** The refusal of `tools/list` with a cursor; null without one. All tools are on one page, so no cursor is ours. */
export function refuseCursor({ cursor }: Record<string, unknown>): RpcError | null {
  if (cursor === undefined || cursor === null || cursor === '') return null
  return { code: RPC.invalidParams, message: 'The cursor is not one of ours: tools/list has a single page.' }
}
