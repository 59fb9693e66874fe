import { expect, test } from 'vitest'
import { declaredName } from './declared-name.ts'

test.each([
  ['pub fn drain<R>(&mut self, range: R) -> Drain<R> where R: Range', 'drain'],
  ['Rope &Rope::append(const Rope &other)', 'Rope::append'],
  ['def dump(obj, fp)', 'dump'],
  ['bool Rope::operator==(const Rope &other) const', 'Rope::operator=='],
  ['Rope Rope::operator()() const', 'Rope::operator()'],
  ['app.use(path, handler)', null],
  ['Set the value(s) of a field', null],
  ['How to call it', null],
])('reads %s as a declaration of %s', (text, name) => expect(declaredName(text)).toBe(name))

test('reads adversarial declarations in linear time and rejects overlong ones', () => {
  for (const text of [
    `${'<'.repeat(900)}(`,
    `${'a::'.repeat(300)}(`,
    `${'a '.repeat(480)}(`,
    `${'operator'.repeat(110)}(`,
  ])
    expect(() => declaredName(text)).not.toThrow()
  expect(declaredName(`fn a(${'x'.repeat(1_000)})`)).toBeNull()
  expect(declaredName(`fn a(${'x'.repeat(900)})`)).toBe('a')
})
