import { z } from 'zod'
import type { Operation } from './operation.ts'

/** True if the operation reads JSON from the body. Without body fields the body is ignored. */
export function takesBody({ method, path, input, consumes }: Operation): boolean {
  if (method === 'GET' || consumes !== undefined) return false
  const names = input instanceof z.ZodObject ? Object.keys(input.shape) : []
  return names.some((name) => !path.includes(`{${name}}`))
}
