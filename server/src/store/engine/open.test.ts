import { expect, test } from 'vitest'
import { databaseEndpoint } from './open.ts'

test.each([
  ['postgres://user:pw@db.example:6432/docent', 'db.example', 6432],
  ['postgresql://db.example/docent?sslmode=require', 'db.example', 5432],
  ['postgres://user@[fd00::7]:5433/docent', 'fd00::7', 5433],
  ['postgres://user@ignored/docent?host=10.0.0.9&port=5434', '10.0.0.9', 5434],
  ['postgres:///docent?host=/var/run/postgresql', 'localhost', 5432],
  ['postgres://%2Fvar%2Frun%2Fpostgresql/docent', 'localhost', 5432],
  ['postgres://user@/docent', 'localhost', 5432],
])('reads the endpoint of %s as %s, port %i', (url, host, port) => {
  expect(databaseEndpoint({ engine: 'postgres', url })).toEqual({ host, port })
})

test('finds no endpoint for a database file', () => {
  expect(databaseEndpoint({ engine: 'sqlite', path: '/data/docent.sqlite' })).toBeNull()
})
