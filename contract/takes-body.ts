import { z } from 'zod'
import type { Operation } from './operation.ts'

/** Whether the operation reads JSON from the body. One whose path says everything takes no notice of a body. */
export function takesBody({ method, path, input, consumes }: Operation): boolean {
  if (method === 'GET' || consumes !== undefined) return false
  const names = input instanceof z.ZodObject ? Object.keys(input.shape) : []
  return names.some((name) => !path.includes(`{${name}}`))
}
