import { expect, test } from 'vitest'
import { scanDefinedNames } from '../segment/segment-builder.ts'

function namesIn(text: string): string[] {
  const names: [number, string][] = []
  scanDefinedNames(text, 0, (start, end) => names.push([start, text.slice(start, end)]))
  return names.toSorted(([a], [b]) => a - b).map(([, name]) => name)
}

test.each([
  ['pub struct Row<T> {\n    /// Retrieve it\n    pub fn next_page(&mut self) {', ['Row', 'next_page']],
  ['impl<A, B> Executor<A> for Runner<B>\nwhere', ['Executor']],
  ['export default async function* readRows(file) {', ['readRows']],
  ['export class Table extends List {', ['Table']],
  ['class Soundex(Checker):\n    def priority() -> float:', ['Soundex', 'priority']],
  ['func (r *Row) Next() bool {', ['Next']],
  ['  public static List<Row> readRows(File file) throws IOException {', ['readRows']],
  ['export type Row = { id: number }', ['Row']],
])('finds names defined by code: %s', (text, names) => {
  expect(namesIn(text)).toEqual(names)
})

test.each([
  'type errors are found early',
  'class names are written in capitals',
  'function calls of any kind cost time',
  'the class Row {',
  'readRows(file)',
  'return new Row(file)',
])('finds no definition in prose and calls: %s', (text) => {
  expect(namesIn(text)).toEqual([])
})

test('returns offsets in the text that contains the piece', () => {
  const text = 'Rows.\ndef read_rows():'
  const found: string[] = []
  scanDefinedNames(text.slice(6), 6, (start, end) => found.push(text.slice(start, end)))
  expect(found).toEqual(['read_rows'])
})

test('accepts names of up to 64 characters', () => {
  expect(namesIn(`class ${'a'.repeat(64)} {`)).toHaveLength(1)
  expect(namesIn(`class ${'a'.repeat(65)} {`)).toEqual([])
})
