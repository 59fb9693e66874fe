import { expect, test } from 'vitest'
import { askedKeys, declaredName, isSameName, nameKeys, nameHash } from './name-key.ts'
import { NameTableWriter, placesUnder } from '#search/catalogue/catalogue.ts'

test.each([
  ['useState(initialState)', ['usestate']],
  ['Router.use(path, handler)', ['router.use', 'use']],
  ['class `HttpClient`', ['httpclient']],
  ['Widget::spin()', ['widget.spin', 'spin']],
  ['a.b.Widget', ['a.b.widget', 'b.widget', 'widget']],
  ['Vec in std::vec', ['std.vec.vec', 'vec.vec', 'vec']],
  ['Struct std::vec::Vec', ['std.vec.vec', 'vec.vec', 'vec']],
  ['tide::Gauge Class Reference', ['tide.gauge', 'gauge']],
  ['tide::Gauge< T > Class Template Reference', ['tide.gauge', 'gauge']],
  ['TideGauge Class', ['tidegauge']],
  ['Class Gauge<K,V>', ['gauge']],
  ['enum Tide::Mark flags Tide::Marks', ['tide.mark', 'mark']],
  ['warn!', ['warn']],
  ['pub fn drain<R>(&mut self, range: R) -> Drain<R> where R: Range, '.padEnd(300, 'T'), ['drain']],
  ['Rope &Rope::append(const Rope &other)', ['rope.append', 'append']],
  ['bool Rope::operator==(const Rope &other) const', ['rope.operator==', 'operator==']],
  ['T &Rope::operator[](int at)', ['rope.operator[]', 'operator[]']],
  ['Rope Rope::operator()() const', ['rope.operator()', 'operator()']],
  ['Set the value(s) of a field', ['set the value']],
  ['Class: Kiln', ['kiln']],
  ["Event: 'fire'", ['fire']],
  ['PRAGMA kiln.heat', ['kiln.heat', 'heat']],
  ['timeout fire-request <timeout>', ['timeout fire-request']],
  ['balance <algorithm> [ <arguments> ]', ['balance <algorithm> [ <arguments> ]', 'balance']],
  ['pop [--index] [<stash>]', ['pop [--index] [<stash>]', 'pop']],
  ['+trace, +notrace', ['+trace', '+notrace']],
  ['Parameter: `KilnOptions`', ['kilnoptions']],
  ['Type: how to choose it', ['type']],
  ['Class: Kiln & Lid', ['kiln & lid']],
  ['User (schema)', ['user']],
  ['Get a user: GET /users/{id}', ['get /users/{}', 'get a user']],
  ['POST https://api.example/v1/users/:name/', ['post /v1/users/{}']],
  ['MaybeRef\\<T>', ['mayberef']],
  ['<KeepAlive>', ['keepalive']],
  ['server.proxy', ['server.proxy', 'proxy']],
  ['The `defineConfig` helper', ['the defineconfig helper', 'defineconfig']],
  ['timeout: number', ['timeout']],
  ['src/router.ts', ['src/router.ts']],
  ['awaitable anext(iterator, default)', ['anext']],
  ['classmethod datetime.now(tz=None)', ['datetime.now', 'now']],
  ['int tide_height(const char *port)', ['int tide_height', 'tide_height']],
  ['File *openTide(void)', ['file openTide'.toLowerCase(), 'opentide']],
  [`run(${'argument, '.repeat(30)})`, ['run']],
  ['-q, --quiet', ['-q', '--quiet']],
  ['--[no-]tags', ['--tags']],
  ['`--depth` <n>', ['--depth']],
  ['create --to PATH', ['create --to path', 'create --to', '--to']],
  ['remote add -t <branch>', ['remote add -t', '-t']],
  ['see the flag of the command -t', ['see the flag of the command -t']],
  ['json — JSON encoder and decoder', ['json — json encoder and decoder', 'json']],
  ['kiln-fire(1) — Heat a kiln', ['kiln-fire', 'fire']],
  ['kiln-fire - heat a kiln', ['kiln-fire - heat a kiln', 'kiln-fire', 'fire']],
  ['Linux - Install it', ['linux - install it']],
  ['KilnTimeout Directive', ['kilntimeout']],
  ['<KilnHost> Directive', ['kilnhost']],
  ['The command', ['the command']],
  ['kiln fire', ['kiln fire', 'fire']],
  ['kiln glaze list-colours', ['kiln glaze list-colours', 'list-colours']],
  ['Kiln fire', ['kiln fire']],
  ['how to fire it', ['how to fire it']],
  ['fire command', ['fire']],
  ['How to write a directive', ['how to write a directive']],
  ['Kiln Module mod_glaze', ['kiln module mod_glaze', 'mod_glaze']],
  ['Migrating from mod_glaze', ['migrating from mod_glaze']],
  ['The argument(s) of it', ['the argument']],
  ['', []],
  ['How it is '.repeat(20), []],
])('reads the names in "%s": %j', (heading, keys) => expect(nameKeys(heading)).toEqual(keys))

test.each([
  ['useState()', ['usestate'], [], null],
  ['app.listen', ['app.listen'], ['listen'], 'app'],
  ['std::fs::read', ['std.fs.read'], ['read'], 'std.fs'],
  ['Rope#cut', ['rope.cut'], ['cut'], 'rope'],
  ['rope->cut', ['rope.cut'], ['cut'], 'rope'],
  ['Rope::operator->', ['rope.operator->'], ['operator->'], 'rope'],
  ['Rope::operator()', ['rope.operator()'], ['operator()'], 'rope'],
  ['get /users/:id', ['get /users/{}'], [], null],
  [' ', [], [], null],
  ['kiln fire --cone', ['kiln fire --cone'], ['--cone'], null],
  ['kiln glaze fire', ['kiln glaze fire', 'kiln-glaze-fire'], ['fire'], 'kiln-glaze'],
  ["Event: 'fire'", ['fire'], [], null],
  ['PRAGMA heat', ['heat'], [], null],
])('looks up "%s" as %j, then %j of %j', (name, whole, part, owner) =>
  expect(askedKeys(name)).toMatchObject({ whole, part, owner }),
)

test.each([
  ['std.vec.vec', 'vec', true],
  ['map.entry', 'java.util.map.entry', true],
  ['bitvec', 'vec', false],
])('compares the names %s and %s: %s', (name, owner, same) => expect(isSameName(name, owner)).toBe(same))

test('looks up a path without a method under every method', () => {
  const { whole } = askedKeys('/users/:id')
  expect(whole.slice(0, 2)).toEqual(['get /users/{}', 'post /users/{}'])
})

test('returns the places of a key and none of another', async () => {
  const writer = new NameTableWriter()
  for (let place = 0; place < 5_000; place++) writer.add(nameHash(`name ${place % 1_000}`), place)
  writer.add(nameHash('name 7'), 7)
  const table = await writer.finish()
  expect(table).toHaveLength(5_000)
  expect(placesUnder(table, nameHash('name 7'))).toEqual([7, 1_007, 2_007, 3_007, 4_007])
  expect(placesUnder(table, nameHash('name 1000'))).toEqual([])
  expect(placesUnder(await new NameTableWriter().finish(), nameHash('name'))).toEqual([])
})

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
