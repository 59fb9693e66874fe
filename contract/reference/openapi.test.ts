import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'vitest'
import { ERRORS } from '#errors.ts'
import { openApiDocument } from './openapi.ts'
import type { Operation } from '#operation.ts'
import { operations } from '#operations.ts'

type Described = Record<string, { operationId: string; responses: Record<string, unknown> }>

test('keeps docs/openapi.json up to date (update it with: npm test -- contract/reference --update)', async () => {
  await expect(`${JSON.stringify(openApiDocument(), null, 1)}\n`).toMatchFileSnapshot('../../docs/openapi.json')
})

test('produces valid OpenAPI 3.1', async () => {
  const { valid, errors } = await new Validator().validate(openApiDocument())
  expect({ valid, errors }).toMatchObject({ valid: true })
  const broken = { ...openApiDocument(), info: {} }
  expect((await new Validator().validate(broken)).valid).toBe(false)
})

test('contains every operation with all its statuses and a unique id', () => {
  const { paths } = openApiDocument() as { paths: Record<string, Described> }
  const ids = Object.values(paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId))
  expect(new Set(ids).size).toBe(ids.length)
  for (const [id, operation] of Object.entries<Operation>(operations)) {
    const described = paths[operation.path]?.[operation.method.toLowerCase()]
    expect(described?.operationId).toBe(id)
    const statuses = operation.errors.map((code) => String(ERRORS[code].status))
    expect(Object.keys(described?.responses ?? {})).toEqual(expect.arrayContaining(['200', ...statuses]))
  }
})
